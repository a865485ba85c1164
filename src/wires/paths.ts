/** Does a request go to such an end of a path? What stands before it is a gateway's, what follows `?` a query. */
export function isPostTo(method: string, path: string, end: string): boolean {
  return method.toUpperCase() === "POST" && readPathname(path).endsWith(end);
}

/** The path without query, fragment and a slash at its end. */
export function readPathname(path: string): string {
  let end = path.length;
  for (const mark of ["?", "#"]) {
    const at = path.indexOf(mark);
    if (at >= 0 && at < end) end = at;
  }
  return path.slice(0, path[end - 1] === "/" ? end - 1 : end);
}
