/** The examples at the end of a command's help. */
export function formatExamples(lines: readonly (readonly [command: string, what: string])[]): string {
  const width = Math.max(...lines.map(([command]) => command.length));
  return `\nExamples:\n${lines.map(([command, what]) => `  $ ${command.padEnd(width)}   ${what}`).join("\n")}`;
}

export function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
