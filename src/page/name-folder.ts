/** The last name of a path, for any system: `/home/ada/shop` and `C:\\ada\\shop` are `shop`. */
export function nameFolder(path: string): string {
  const names = path.split(/[\\/]/).filter((name) => name !== "");
  return names.at(-1) ?? path;
}
