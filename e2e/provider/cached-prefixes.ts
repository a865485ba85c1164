import { createHash } from "node:crypto";
import { listBlocks, type PromptBlock } from "./prompt-blocks.ts";
import type { Counted, Received } from "./provider.ts";
import { tokensOf } from "./tokens.ts";

type CountedInput = Omit<Counted, "output">;
type Prompt = Pick<Received, "dialect" | "path" | "body">;

const LEAST_TOKENS = 1_024;
/** Anthropic looks at this many blocks for each mark: its own, and those before it. */
const PLACES = 20;
const MINUTE = 60_000;
const LIVES = { "5m": 5 * MINUTE, "1h": 60 * MINUTE };
/** OpenAI's and Google's entries end after every this many tokens. */
const STEP = 128;
/** OpenAI documents 5 to 10 minutes, Google guarantees nothing. */
const AUTOMATIC_LIVES = { chat: 10 * MINUTE, responses: 10 * MINUTE, gemini: 5 * MINUTE };

interface Entry {
  readonly usedAt: number;
  readonly life: number;
}

/**
 * A provider's prompt cache. It shares no code with the model in `src/`, which is tested against it. Tokens are those of
 * one public vocabulary, so a real provider counts differently.
 */
export class CachedPrefixes {
  /** By a hash of the model and of all text before the entry's end. */
  readonly #entries = new Map<string, Entry>();
  readonly #clock: () => number;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /** The tokens that a request reads, writes and adds. Its entries exist for the next one. */
  count(request: Prompt): CountedInput {
    const { dialect, body, path } = request;
    const blocks = listBlocks(dialect, body);
    const model = `${body.model ?? path}\n`;
    return dialect === "anthropic"
      ? this.#countMarked(model, blocks)
      : this.#countAutomatic(
          model,
          blocks.flatMap(({ text }) => [...tokensOf(text)]),
          AUTOMATIC_LIVES[dialect],
        );
  }

  /** Anthropic: entries end at marks, and are searched at marks and a little before them. */
  #countMarked(model: string, blocks: readonly PromptBlock[]): CountedInput {
    const ends = listEnds(
      model,
      blocks.map(({ text }) => tokensOf(text)),
    );
    const total = ends.at(-1)?.tokens ?? 0;
    const marked = blocks.flatMap(({ mark }, index) =>
      mark && tokensAt(ends, index) >= LEAST_TOKENS ? [{ index, mark }] : [],
    );
    const found = Math.max(-1, ...marked.map(({ index }) => this.#findBefore(ends, index)));
    const read = tokensAt(ends, found);
    const written = Math.max(read, tokensAt(ends, marked.at(-1)?.index ?? -1));
    this.#use(ends[found]?.hash);
    for (const { index, mark } of marked) this.#use(ends[index]?.hash, LIVES[mark.ttl]);
    return { input: total - written, cacheRead: read, cacheWrite: written - read };
  }

  /** The longest entry that a mark on this block finds; −1 if there is none. */
  #findBefore(ends: readonly End[], index: number): number {
    for (let at = index; at >= 0 && at > index - PLACES; at--) {
      if (this.#isAlive(ends[at]?.hash)) return at;
    }
    return -1;
  }

  /** Others: all beginnings of a request are entries, in whole steps. */
  #countAutomatic(model: string, tokens: readonly number[], life: number): CountedInput {
    const steps = Array.from({ length: Math.floor(tokens.length / STEP) }, (_, i) =>
      Uint32Array.from(tokens.slice(i * STEP, (i + 1) * STEP)),
    );
    const ends = listEnds(model, steps).filter((end) => end.tokens >= LEAST_TOKENS);
    const firstNew = ends.findIndex(({ hash }) => !this.#isAlive(hash));
    const read = tokensAt(ends, (firstNew < 0 ? ends.length : firstNew) - 1);
    for (const { hash } of ends) this.#use(hash, life);
    return { input: tokens.length - read, cacheRead: read, cacheWrite: 0 };
  }

  #isAlive(hash = ""): boolean {
    const entry = this.#entries.get(hash);
    return entry !== undefined && this.#clock() - entry.usedAt <= entry.life;
  }

  /** A live entry keeps the longer of its lifetimes; an expired one is written again. */
  #use(hash = "", life = 0): void {
    const before = this.#isAlive(hash) ? (this.#entries.get(hash)?.life ?? 0) : 0;
    const longest = Math.max(before, life);
    if (longest > 0) this.#entries.set(hash, { usedAt: this.#clock(), life: longest });
  }
}

/** A place where an entry can end. */
interface End {
  readonly hash: string;
  /** Before it. */
  readonly tokens: number;
}

function listEnds(model: string, pieces: readonly Uint32Array[]): readonly End[] {
  const hash = createHash("sha256").update(model);
  let tokens = 0;
  return pieces.map((piece) => {
    tokens += piece.length;
    // Includes the length, so that a part of a block is not mistaken for one.
    hash.update(`${piece.length} `).update(piece);
    return { hash: hash.copy().digest("base64"), tokens };
  });
}

function tokensAt(ends: readonly End[], index: number): number {
  return ends[index]?.tokens ?? 0;
}
