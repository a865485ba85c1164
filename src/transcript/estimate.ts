import type { Media } from "./part.ts";

/** Changes whenever a result of `estimateTokens` or `estimateMedia` changes. */
export const ESTIMATOR_VERSION = 1;

// Kinds of characters.
const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const SPACE = 3;
const NEWLINE = 4;
const TAB = 5;
/** `._-=`: usually one token with the following word. */
const GLUE = 6;
/** `/('\+<,):`: sometimes one token with the following word. */
const LOOSE = 7;
/** All other ASCII punctuation: hardly ever one token with the following word. */
const APART = 8;
/** é, ß, ş: Latin letters beyond ASCII. */
const ACCENT = 9;
/** Greek, Cyrillic, Hebrew, Arabic, the Indic scripts, Thai. */
const SCRIPT = 10;
/** Han and kana. */
const CJK = 11;
const HANGUL = 12;
/** Arrows, box drawing, typographic quotes. */
const SYMBOL = 13;
/** Control characters and surrogates (an emoji is two of them): one token each. */
const RAW = 14;
const KINDS = 15;

/**
 * How many tokens begin with a character of one kind directly after a character of another, in hundredths. A space
 * itself costs nothing; its cost is included in the following character: ` word` is one token, ` 42` is two. The
 * start of a text counts like the start of a line.
 */
const JOIN: Uint8Array = Uint8Array.from([
  // lower upper digit space nl tab glue loose apart accent script cjk hangul symbol raw
  ...[0, 100, 100, 0, 100, 100, 100, 100, 100, 32, 100, 100, 100, 100, 100], // after lower
  ...[70, 0, 100, 0, 100, 100, 100, 100, 100, 60, 100, 100, 100, 100, 100], // upper
  ...[100, 100, 0, 0, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100], // digit
  ...[100, 100, 200, 0, 80, 120, 100, 100, 100, 100, 100, 120, 100, 110, 100], // space
  ...[100, 100, 100, 0, 0, 100, 100, 90, 100, 100, 100, 100, 100, 100, 100], // newline
  ...[7, 62, 100, 0, 0, 0, 100, 100, 100, 50, 50, 100, 100, 100, 100], // tab
  ...[14, 10, 100, 0, 2, 100, 5, 15, 15, 40, 40, 100, 100, 40, 100], // glue
  ...[44, 78, 100, 0, 0, 100, 12, 10, 12, 40, 40, 100, 100, 90, 100], // loose
  ...[97, 100, 100, 0, 1, 100, 16, 10, 15, 100, 100, 100, 100, 100, 100], // apart
  ...[22, 100, 100, 0, 100, 100, 100, 100, 100, 20, 100, 100, 100, 100, 100], // accent
  ...[100, 100, 100, 0, 100, 100, 100, 100, 100, 100, 14, 100, 100, 100, 100], // script
  ...[100, 100, 100, 0, 20, 100, 100, 100, 100, 100, 100, 75, 100, 100, 100], // cjk
  ...[100, 100, 100, 0, 100, 100, 100, 100, 100, 100, 100, 100, 52, 100, 100], // hangul
  ...[60, 95, 100, 0, 90, 100, 70, 70, 100, 100, 100, 90, 100, 100, 100], // symbol
  ...[100, 100, 100, 0, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100], // raw
]);

// Tokens per letter inside a run of letters, in hundredths. Prose and names are calm; base64 and hashes, which have
// no long runs of letters or digits, are noisy.
const LOWER_CALM = 2;
const LOWER_NOISY = 27;
const UPPER_CALM = 18;
const UPPER_NOISY = 43;
/** A run of letters or digits shorter than this is short … */
const LONG_RUN = 4;
/** … and after this many consecutive short ones, a text is noisy. */
const NOISY = 2;

/**
 * The kind of every UTF-16 unit. A table, because branches for rare cases would make the engine compile the loop
 * again for each.
 */
const KIND_OF: Uint8Array = tabulateKinds();

/**
 * The one token estimate that all decisions use: pure, linear, without a vocabulary. It adds up how many tokens
 * begin at each character, given the character before.
 *
 *   estimateTokens("")                        // 0
 *   estimateTokens("const total = a + b;\n")  // 7
 *
 * A prefix never estimates higher than the whole, and |estimate(a) + estimate(b) − estimate(a + b)| ≤ 2. To keep that,
 * noise is forgotten after one long run, and a noisy letter costs at most 25 hundredths more than a calm one.
 *
 * Fitted to o200k on half of the recorded sessions. On the other half, texts of 1,000 tokens and more: median error
 * 3.6 %, 95th percentile 9.8 %. Base64 is estimated 8 % low, Czech, Polish and Turkish 25 % low, Claude's published
 * encoding counts 11 % more.
 */
export function estimateTokens(text: string): number {
  let hundredths = 0;
  let state = START;
  let code = -1;
  for (let i = 0; i < text.length; i++) {
    const nextCode = text.charCodeAt(i);
    const next = KIND_OF[nextCode] ?? RAW;
    const step = STEPS[state * INPUTS + next * 2 + (nextCode === code ? 1 : 0)] ?? 0;
    hundredths += step & COST;
    state = step >> COST_BITS;
    code = nextCode;
  }
  return text.length === 0 ? 0 : Math.max(1, Math.round(hundredths / 100));
}

/** The state of the estimate before a character. */
interface State {
  /** The kind of the last character. */
  readonly kind: number;
  /** The length of its run. */
  readonly run: number;
  /** Consecutive short runs of letters or digits. */
  readonly shortRuns: number;
}

/** The rule: a character's cost, and the state after it. `isSame`: it equals the character before it. */
function takeStep({ kind, run, shortRuns }: State, next: number, isSame: boolean): State & { cost: number } {
  if (next === kind && next <= DIGIT) {
    const noise = run + 1 === LONG_RUN ? 0 : shortRuns;
    const cost = next === DIGIT ? (run % 3 === 0 ? 100 : 0) : letterCost(next, noise);
    return { kind: next, run: run + 1, shortRuns: noise, cost };
  }
  if (next === LOWER && kind === UPPER && run === 1)
    return { kind: next, run: 2, shortRuns, cost: letterCost(next, shortRuns) };
  const short = kind <= DIGIT && run < LONG_RUN ? shortRuns + 1 : shortRuns;
  const noise = next >= SPACE && next <= TAB ? 0 : short;
  if (isSame && (next < ACCENT || next === SYMBOL))
    return { kind: next, run: run + 1, shortRuns: noise, cost: repeatCost(next, run + 1) };
  return { kind: next, run: 1, shortRuns: noise, cost: JOIN[kind * KINDS + next] ?? 0 };
}

function letterCost(kind: number, shortRuns: number): number {
  if (kind === LOWER) return shortRuns < NOISY ? LOWER_CALM : LOWER_NOISY;
  return shortRuns < NOISY ? UPPER_CALM : UPPER_NOISY;
}

/** One representative for all states that the rule treats alike. */
function reduce({ kind, run, shortRuns }: State): State {
  const longest = kind <= UPPER ? LONG_RUN : kind === SPACE ? 2 : 1;
  const least = kind === DIGIT && run > LONG_RUN ? LONG_RUN + ((run - LONG_RUN) % 3) : run;
  return {
    kind,
    run: kind === DIGIT ? least : Math.min(run, longest),
    shortRuns: Math.min(shortRuns, NOISY),
  };
}

/**
 * By state, kind of the next character and whether it is the same one: the next state and the cost, in one number.
 */
const INPUTS = 32;
const COST_BITS = 8;
const COST = 255;
const START = 0;

/**
 * The rule as a table of all states that a text can lead to: with real texts, a processor mispredicts every branch.
 */
const STEPS: Uint16Array = tabulate();

function tabulate(): Uint16Array {
  const states: State[] = [{ kind: NEWLINE, run: 1, shortRuns: 0 }];
  const numbers = new Map([[JSON.stringify(states[START]), START]]);
  const steps: number[] = [];
  for (let from = 0; from < states.length; from++) {
    for (let input = 0; input < 2 * KINDS; input++) {
      const { cost, ...after } = takeStep(states[from] as State, input >> 1, input % 2 === 1);
      const reduced = reduce(after);
      const name = JSON.stringify(reduced);
      const to = numbers.get(name) ?? states.push(reduced) - 1;
      numbers.set(name, to);
      steps[from * INPUTS + input] = (to << COST_BITS) | cost;
    }
  }
  return Uint16Array.from(steps);
}

/** `----`, an indentation, blank lines: a long run of one character is few tokens. */
function repeatCost(kind: number, run: number): number {
  if (kind === TAB) return 46;
  if (kind === SYMBOL) return 15;
  return kind === SPACE && run === 2 ? 92 : 1;
}

function asciiKind(code: number): number {
  const char = String.fromCharCode(code);
  if (char >= "a" && char <= "z") return LOWER;
  if (char >= "A" && char <= "Z") return UPPER;
  if (char >= "0" && char <= "9") return DIGIT;
  if (char === " ") return SPACE;
  if (char === "\n" || char === "\r") return NEWLINE;
  if (char === "\t") return TAB;
  if (code < 32 || code === 127) return RAW;
  if ("._-=".includes(char)) return GLUE;
  return "/('\\+<,):".includes(char) ? LOOSE : APART;
}

/** Ranges of UTF-16 units beyond ASCII, each up to the next; the last two are inside the ranges before them. */
function tabulateKinds(): Uint8Array {
  const kinds = new Uint8Array(0x1_0000);
  for (let code = 0; code < 128; code++) kinds[code] = asciiKind(code);
  return kinds
    .fill(RAW, 0x80)
    .fill(SYMBOL, 0xa0)
    .fill(ACCENT, 0xc0)
    .fill(SCRIPT, 0x250)
    .fill(ACCENT, 0x1e00)
    .fill(SCRIPT, 0x1f00)
    .fill(SYMBOL, 0x2000)
    .fill(CJK, 0x2e80)
    .fill(HANGUL, 0xac00)
    .fill(RAW, 0xd800)
    .fill(SYMBOL, 0xe000)
    .fill(CJK, 0xf900, 0xfb00)
    .fill(CJK, 0xff00, 0xfff0);
}

/** A picture of any size (providers bill 250 to 2,500 tokens), and any file of unknown type or size. */
export const MEDIA_TOKENS = 1_500;

/** Bytes per token, by the start of the media type: a page of a PDF has about 60 kB and 2,000 tokens. */
const BYTES_PER_TOKEN: readonly (readonly [mime: string, bytes: number])[] = [
  ["text/", 4],
  ["application/json", 4],
  ["application/pdf", 30],
  ["audio/", 500],
  ["video/", 1_000],
];

/** Never looks at the data. Pictures have a fixed cost; the cost of other files depends on their bytes. */
export function estimateMedia(media: Media): number {
  const bytesPerToken = BYTES_PER_TOKEN.find(([mime]) => media.mime.startsWith(mime))?.[1];
  if (bytesPerToken === undefined || media.bytes === undefined) return MEDIA_TOKENS;
  return Math.ceil(media.bytes / bytesPerToken);
}
