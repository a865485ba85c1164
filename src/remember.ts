/**
 * A function of a part, a leaf or anything else that never changes, worked out once for each of them.
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
