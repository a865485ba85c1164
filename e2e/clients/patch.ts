/** One line of a file changed, in the form that tools named `apply_patch` take. */
export function patch(path: string, before: string, after: string): string {
  const lines = [
    "*** Begin Patch",
    `*** Update File: ${path}`,
    "@@",
    `-${before}`,
    `+${after}`,
    "*** End Patch",
  ];
  return `${lines.join("\n")}\n`;
}
