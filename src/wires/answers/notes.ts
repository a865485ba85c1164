import type { Usage } from "../../transcript/message.ts";
import type { Answer } from "../wire.ts";
import type { Picked, Wanted } from "./json-picker.ts";

/** No answer has this many calls. */
const MOST_CALLS = 1_000;

/** The data of an answer so far. */
export class Notes {
  readonly #figures = new Map<string, number>();
  readonly #calls = new Set<string>();
  readonly #tools = new Set<string>();
  #model: string | undefined;
  #finish: string | undefined;
  #cacheMiss: string | undefined;
  #isDone = false;
  #failed = false;

  /**
   * Numbers under these names: the largest counts, because figures of a stream grow, and some providers send zeros
   * first or last.
   */
  count(picked: Picked): void {
    for (const [name, value] of picked) {
      if (typeof value === "number") this.#figures.set(name, Math.max(value, this.#figures.get(name) ?? 0));
    }
  }

  call(id: string | number | undefined): void {
    if (typeof id === "string" && id !== "" && this.#calls.size < MOST_CALLS) this.#calls.add(id);
  }

  get calls(): readonly string[] {
    return [...this.#calls];
  }

  /** Calls of some models have a name and no id. */
  tool(name: string | number | undefined): void {
    if (typeof name === "string" && name !== "" && this.#tools.size < MOST_CALLS) this.#tools.add(name);
  }

  get calledTools(): readonly string[] {
    return [...this.#tools];
  }

  /** Keeps the first model named. */
  model(name: string | number | undefined): void {
    if (typeof name === "string" && name !== "") this.#model ??= name;
  }

  /** Keeps the first reason. */
  finish(reason: string | number | undefined): void {
    if (typeof reason !== "string" || reason === "") return;
    this.#finish ??= reason;
    this.#isDone = true;
  }

  cacheMiss(reason: string | number | undefined): void {
    if (typeof reason === "string") this.#cacheMiss = reason;
  }

  done(): void {
    this.#isDone = true;
  }

  fail(): void {
    this.#failed = true;
  }

  toAnswer(readUsage: AnswerKind["usage"]): Answer {
    const usage = readUsage((name) => this.#figures.get(name) ?? 0);
    return {
      ok: this.#isDone && !this.#failed,
      calls: this.calls,
      calledTools: this.calledTools,
      ...(usage && { usage }),
      ...(this.#model !== undefined && { model: this.#model }),
      ...(this.#finish !== undefined && { finish: this.#finish }),
      ...(this.#cacheMiss !== undefined && { cacheMiss: this.#cacheMiss }),
    };
  }
}

/** How a wire's answers express their data; the same for events and for one piece of JSON, except some names. */
export interface AnswerKind {
  wanted(notes: Notes): Wanted;
  /** Reads usage from the figures, by the provider's names. */
  usage(figure: (name: string) => number): Usage | undefined;
}

/** The same inside a field, because some answers are wrapped. */
export function wantWithin(field: string, wanted: Wanted): Wanted {
  return Object.fromEntries(
    Object.entries(wanted).map(([path, take]) => [path === "" ? field : `${field}.${path}`, take]),
  );
}
