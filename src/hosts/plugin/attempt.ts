/** The result of a host's service, or `otherwise` if it throws or rejects. */
export async function attempt<T>(call: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await call();
  } catch {
    return otherwise;
  }
}
