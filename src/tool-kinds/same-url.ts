/**
 * One spelling per page: the fragment and the default port are ignored.
 *
 *   HTTPS://Example.com:443/a#part  ->  https://example.com/a
 *   not a url                       ->  not a url
 */
export function canonicalUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  parsed.hash = "";
  return parsed.href;
}
