import type { Received } from "./provider.ts";

/** A provider's prompt cache: what a request shares with the beginning of an earlier one is read, the rest is written. */
export class CachedPrefixes {
  readonly #earlier: string[] = [];

  count({ raw }: Received): {
    readonly input: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  } {
    // The marks for the cache move on with each request, and are no part of the prefix.
    const text = raw.replaceAll(/,"cache_control":\{[^}]*\}/g, "");
    const shared = Math.max(0, ...this.#earlier.map((other) => countShared(text, other)));
    this.#earlier.push(text);
    if (this.#earlier.length > 16) this.#earlier.shift();
    return { input: 3, cacheRead: Math.floor(shared / 4), cacheWrite: Math.ceil((text.length - shared) / 4) };
  }
}

function countShared(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
