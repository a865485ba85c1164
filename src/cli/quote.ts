/** Quotes a word for a shell, in single quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
