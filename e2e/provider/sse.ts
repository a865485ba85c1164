export function data(event: unknown): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}

export function named(event: { readonly type: string }): string {
  return `event: ${event.type}\n${data(event)}`;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
