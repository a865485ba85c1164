import { VERSION } from "../../basics/version.ts";
import { compileGlobs } from "../../expressions/globs.ts";
import type { JournalRow, Store } from "../../stores/store.ts";

export interface DropRequest {
  /** Identifies the conversation. */
  readonly root: string;
  /** Has the model said nothing yet? */
  isFirst(): boolean;
  /** Names of the tools that the request does not need. */
  droppable(): readonly string[];
}

type Attempt = <T>(work: (store: Store) => Promise<T>, fallback: T) => Promise<T>;

/**
 * Which tools are left out of a conversation's requests (`prefix.dropTools`). This is decided with the
 * conversation's first request and kept in the store, so that a restart and every replica leave out the same tools
 * and the provider's cache stays valid. A conversation that began before, or elsewhere, keeps its tools.
 */
export class ToolDrops {
  readonly #attempt: Attempt;
  readonly #matches: ((name: string) => boolean) | undefined;
  readonly #known = new Map<string, readonly string[]>();

  constructor(globs: readonly string[], attempt: Attempt) {
    this.#matches = globs.length === 0 ? undefined : compileGlobs(globs, { nocase: true, dot: true });
    this.#attempt = attempt;
  }

  /** Does the configuration name any tools? */
  get isOn(): boolean {
    return this.#matches !== undefined;
  }

  async choose({ root, isFirst, droppable }: DropRequest): Promise<readonly string[]> {
    const known = this.#known.get(root) ?? (await this.#recall(root));
    if (known) return this.#keep(root, known);
    const matches = this.#matches;
    if (!matches || !isFirst()) return this.#keep(root, []);
    const names = limit([...new Set(droppable().filter((name) => matches(name)))].sort());
    // Written before the request is sent, so that every continuation of this conversation finds it.
    for (const row of writeRows(root, names))
      await this.#attempt((store) => store.writeRequest(row), undefined);
    return this.#keep(root, names);
  }

  async #recall(root: string): Promise<readonly string[] | undefined> {
    const keys = Array.from({ length: MOST_ROWS }, (_, i) => keyOf(root, i));
    return readRows(await this.#attempt((store) => store.readRequests(keys), []));
  }

  #keep(root: string, names: readonly string[]): readonly string[] {
    this.#known.delete(root);
    this.#known.set(root, names);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return names;
  }
}

const MOST_KNOWN = 1_000;
/** The most characters of the list in one row, and the most rows of a list: a longer list is cut. */
const PIECE = 150;
const MOST_ROWS = 40;

function keyOf(root: string, i: number): string {
  return `tools left out of ${root}, ${i}`;
}

/** As many names as fit into the rows. */
function limit(names: readonly string[]): readonly string[] {
  let room = PIECE * MOST_ROWS - spell([]).length;
  return names.filter((name) => {
    room -= spell([name]).length;
    return room >= 0;
  });
}

/** The list as rows of the journal: the configuration field of each row holds a piece of it. */
function writeRows(root: string, names: readonly string[]): readonly JournalRow[] {
  if (names.length === 0) return [];
  const text = spell(names);
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, i) => ({
    key: keyOf(root, i),
    terms: {},
    version: VERSION,
    config: text.slice(i * PIECE, (i + 1) * PIECE),
  }));
}

/** Uses only characters that every database can store. */
function spell(names: readonly string[]): string {
  return encodeURIComponent(JSON.stringify(names));
}

function readRows(rows: readonly JournalRow[]): readonly string[] | undefined {
  if (rows.length === 0) return undefined;
  try {
    const value: unknown = JSON.parse(decodeURIComponent(rows.map(({ config }) => config).join("")));
    return Array.isArray(value) ? value.filter((name) => typeof name === "string") : undefined;
  } catch {
    return undefined;
  }
}
