/** The result of a host's service, or `fallback` if it throws or rejects. */
export async function attempt<T>(call: () => T | Promise<T>, fallback: T): Promise<T> {
  try {
    return await call();
  } catch {
    return fallback;
  }
}
