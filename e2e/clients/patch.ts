/** A changed line of a file, in the form of tools named `apply_patch`. */
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
