/**
 * Keeps a value that depends on changing state, and computes it again only if `version` returns another number.
 *
 *   const body = rememberAt(() => transcript.version, () => shorten(text, facts.named));
 */
export function rememberAt<V>(version: () => number, work: () => V): () => V {
  let known: { readonly at: number; readonly value: V } | undefined;
  return () => {
    const at = version();
    if (known?.at !== at) known = { at, value: work() };
    return known.value;
  };
}

/**
 * Keeps the results of a function for parts, leaves or other objects that never change: each is computed once.
 *
 *   const isLong = remember(({ text }: Leaf) => estimateTokens(text) > 1_000);
 */
export function remember<K extends object, V extends NonNullable<unknown>>(
  work: (key: K) => V,
): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = work(key);
    known.set(key, value);
    return value;
  };
}

/** The same for what takes much room: only the newest are kept, at least `least` of them and at most twice as many. */
export function rememberNewest<K extends object, V extends NonNullable<unknown>>(
  work: (key: K) => V,
  least: number,
): (key: K) => V {
  let newest = new WeakMap<K, V>();
  let older = newest;
  let count = 0;
  return (key) => {
    const found = newest.get(key) ?? older.get(key);
    if (found !== undefined) return found;
    if (count === least) {
      older = newest;
      newest = new WeakMap();
      count = 0;
    }
    count++;
    const value = work(key);
    newest.set(key, value);
    return value;
  };
}

/**
 * Keeps the results of a function for texts, by content: the newest, up to this many characters of text. The result
 * for a text longer than the limit is computed each time.
 */
export function rememberText<V extends NonNullable<unknown>>(
  work: (text: string) => V,
  characters: number,
): (text: string) => V {
  const known = new Map<string, V>();
  let kept = 0;
  return (text) => {
    if (text.length > characters) return work(text);
    const value = known.get(text) ?? work(text);
    if (!known.delete(text)) kept += text.length;
    known.set(text, value);
    for (const [oldest] of known) {
      if (kept <= characters) break;
      known.delete(oldest);
      kept -= oldest.length;
    }
    return value;
  };
}
