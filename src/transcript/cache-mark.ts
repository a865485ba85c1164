/** A position up to which a request asks the provider to keep its text in the prompt cache. */
export interface CacheMark {
  /** Index of the message that has it; −1: system prompt or tools. */
  readonly message: number;
  /** The block of the message that has it, if it is not the last. */
  readonly block?: number;
  /** How long to keep it, in milliseconds, if longer than usual. */
  readonly ttl?: number;
}

/** No provider accepts more. */
const MOST_MARKS = 16;

export const CACHE_MARKS_SHAPE: string = `a list of at most ${MOST_MARKS} of { message, block?, ttl? }`;

export function isCacheMarks(value: unknown): value is readonly CacheMark[] {
  return Array.isArray(value) && value.length <= MOST_MARKS && value.every(isCacheMark);
}

function isCacheMark(value: unknown): value is CacheMark {
  if (typeof value !== "object" || value === null) return false;
  const { message, block, ttl } = value as Readonly<Record<string, unknown>>;
  return (
    Number.isInteger(message) &&
    (message as number) >= -1 &&
    (block === undefined || (Number.isInteger(block) && (block as number) >= 0)) &&
    (ttl === undefined || (typeof ttl === "number" && Number.isFinite(ttl) && ttl > 0))
  );
}
