/**
 * Where a file of the package is, such as `cli/worker.js`, by its path in `src` and in `dist`. This module lies one level
 * below either: in `basics/`, or in a file of the bundle in `chunks/` or `cli/`.
 */
export function packageFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
