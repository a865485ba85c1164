/** Returns true for a name or an address of this machine itself. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    /^127(?:\.\d{1,3}){3}$/.test(name)
  );
}
