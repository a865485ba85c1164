import { isRecord, type JsonRecord } from "../../basics/json.ts";

const SIGNATURES = [
  "signature",
  "redactedData",
  "redactedContent",
  "reasoningOpaque",
  "reasoning_details",
  "thoughtSignature",
  "thought_signature",
];

/** Do the options contain a provider's signature? They are grouped by provider: `{ anthropic: { signature } }`. */
export function isSignedIn(options: unknown): boolean {
  return listProviders(options).some((provider) => SIGNATURES.some((key) => provider[key] != null));
}

/** `isSignedIn` for reasoning, which may also be encrypted, or stored by the provider under an id. */
export function isReasoningSignedIn(options: unknown): boolean {
  return (
    isSignedIn(options) ||
    listProviders(options).some(
      (provider) => "reasoningEncryptedContent" in provider || provider.itemId != null,
    )
  );
}

/**
 * The part without its item ids: for an id, the provider would use its stored version and ignore the part's text.
 */
export function omitItemId(part: JsonRecord, field: string): JsonRecord {
  const options = part[field];
  if (!isRecord(options) || !listProviders(options).some(({ itemId }) => itemId != null)) return part;
  const kept = Object.entries(options).map(([name, value]) => {
    if (!isRecord(value)) return [name, value];
    const { itemId: _, ...rest } = value;
    return [name, rest];
  });
  return { ...part, [field]: Object.fromEntries(kept) };
}

export function listProviders(options: unknown): readonly JsonRecord[] {
  return isRecord(options) ? Object.values(options).filter(isRecord) : [];
}
