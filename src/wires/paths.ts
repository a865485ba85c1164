/**
 * Does the request's path have this end? The text before it belongs to a gateway, and the text after `?` is a
 * query.
 */
export function isPostTo(method: string, path: string, end: string): boolean {
  return method.toUpperCase() === "POST" && readPathname(path).endsWith(end);
}

/** The path without query, fragment and final slash. */
export function readPathname(path: string): string {
  let end = path.length;
  for (const mark of ["?", "#"]) {
    const at = path.indexOf(mark);
    if (at >= 0 && at < end) end = at;
  }
  return path.slice(0, path[end - 1] === "/" ? end - 1 : end);
}
