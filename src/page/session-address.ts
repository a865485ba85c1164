/**
 * A session's id as one name in a path. Ids come from clients and may contain anything, even `../`; most are plain.
 *
 *   0199-ab   ->  0199-ab
 *   s/../1    ->  ~cy8uLi8x
 */
export function toAddress(id: string): string {
  if (/^[\w-]+$/.test(id)) return id;
  const bytes = new TextEncoder().encode(id);
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return `~${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** `undefined` for an address that no id has. */
export function fromAddress(address: string): string | undefined {
  if (!address.startsWith("~")) return /^[\w-]+$/.test(address) ? address : undefined;
  try {
    const text = atob(address.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
