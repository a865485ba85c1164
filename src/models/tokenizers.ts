import type { TokenizerName } from "./profile.ts";

/**
 * Counts tokens with a real vocabulary: for reports, never for decisions (`estimateTokens`). OpenAI bills the count
 * of `o200k`. No vocabulary of Claude 3 and later is public: Anthropic bills about 1.2 times the count of `claude`
 * for Claude 4.5, and 1.4 times for Claude 5.
 */
export interface Tokenizer {
  readonly name: TokenizerName;
  /** Accepts any string: lone surrogates count as U+FFFD, `<|endoftext|>` as plain text. */
  count(text: string): number;
}

const loading = new Map<TokenizerName, Promise<Tokenizer>>();

/** Loads a vocabulary (2 to 8 MB of JavaScript) on first use; rejects if `ai-tokenizer` is not installed. */
export function loadTokenizer(name: TokenizerName): Promise<Tokenizer> {
  let tokenizer = loading.get(name);
  if (tokenizer === undefined) {
    tokenizer = createTokenizer(name);
    loading.set(name, tokenizer);
    tokenizer.catch(() => loading.delete(name));
  }
  return tokenizer;
}

async function createTokenizer(name: TokenizerName): Promise<Tokenizer> {
  const [library, encoding] = await importLibrary(name);
  const tokenizer = new library.Tokenizer(encoding);
  return {
    name,
    count(text) {
      let tokens = 0;
      for (let start = 0; start < text.length; ) {
        const end = findCut(text, start);
        // "all": special tokens count as plain text; by default they would throw
        tokens += tokenizer.encode(text.slice(start, end), "all").length;
        start = end;
      }
      return tokens;
    },
  };
}

async function importLibrary(name: TokenizerName) {
  try {
    return await Promise.all([import("ai-tokenizer"), importEncoding(name)]);
  } catch (cause) {
    throw new Error("Exact token counts need the package ai-tokenizer: npm install ai-tokenizer", { cause });
  }
}

function importEncoding(name: TokenizerName) {
  switch (name) {
    case "o200k":
      return import("ai-tokenizer/encoding/o200k_base");
    case "cl100k":
      return import("ai-tokenizer/encoding/cl100k_base");
    case "claude":
      return import("ai-tokenizer/encoding/claude");
  }
}

/** Merging a run of letters, blanks or signs takes quadratic time, so longer runs are split. */
const LONGEST_RUN = 256;
/** After this many characters, the text is split between two words, which no token spans … */
const CHUNK = 65_536;
/** … and after this many anywhere. */
const LONGEST_CHUNK = 131_072;

function findCut(text: string, start: number): number {
  let kind = -1;
  let run = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const next = runKind(code);
    run = next === kind ? run + 1 : 1;
    const length = i - start;
    if (run > LONGEST_RUN || length >= LONGEST_CHUNK) {
      if (!isLowSurrogate(code)) return i;
    } else if (length >= CHUNK && code === SPACE && kind === LETTERS && isLetter(text.charCodeAt(i + 1)))
      return i;
    kind = next;
  }
  return text.length;
}

const SPACE = 32;
const LETTERS = 0;
const DIGITS = 1;
const BLANKS = 2;
const SIGNS = 3;

function runKind(code: number): number {
  if (isLetter(code)) return LETTERS;
  if (code >= 48 && code <= 57) return DIGITS;
  if (code <= SPACE) return BLANKS;
  // CJK punctuation ends a run of Han or kana
  if (code < 128 || (code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code < 0xff66)) return SIGNS;
  return LETTERS;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
