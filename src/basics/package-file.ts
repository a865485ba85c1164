/**
 * The URL of a file of the package, such as `cli/worker.js`, by its path in `src` or `dist`. This module is one level
 * below either folder: in `basics/`, or in a file of the bundle in `chunks/` or `cli/`.
 */
export function packageFile(path: string): URL {
  return new URL(`../${path}`, import.meta.url);
}
