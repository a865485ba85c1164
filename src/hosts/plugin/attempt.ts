/** What a host's service answers; `otherwise` where it throws or rejects. */
export async function attempt<T>(call: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await call();
  } catch {
    return otherwise;
  }
}
