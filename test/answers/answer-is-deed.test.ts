import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listPrunable } from "../../src/agent/prunable.ts";
import { answerPrune } from "../../src/answers/answer-prune.ts";
import type { Cut, UndoEdit } from "../../src/edits/edit.ts";
import type { FormatName } from "../../src/formats/format.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import type { Report } from "../../src/reports/report.ts";
import type { SessionStatus } from "../../src/transcript/session-command.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { type Script, scripts } from "../generate.ts";
import { isCertain } from "../own-seed.ts";

const FORMATS: readonly FormatName[] = ["openai-chat", "anthropic-messages", "opencode"];
const RULES: readonly (readonly [ReasoningRule, "none" | "plain" | "signed"])[] = [
  ["none", "none"],
  ["field", "plain"],
  ["signed", "signed"],
  ["bound", "signed"],
];
const ACTIONS = ["discard", "distill", "restore", "replace"] as const;
const SORTS = ["prunable", "prunable", "any", "cut", "cut", "unknown", "malformed", "again"] as const;

/** The agent's requests between two steps, and the other contents of its step. */
interface Wish {
  readonly action: (typeof ACTIONS)[number];
  readonly targets: readonly {
    readonly sort: (typeof SORTS)[number];
    readonly pick: number;
    readonly summary: string;
  }[];
  readonly thinks: boolean;
  readonly reads: boolean;
  readonly pause: number;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  action: fc.constantFrom(...ACTIONS),
  targets: fc.array(
    fc.record({
      sort: fc.constantFrom(...SORTS),
      pick: fc.nat(50),
      summary: fc.constantFrom(
        "in short",
        "in other words, and a few more of them",
        " ",
        "long ".repeat(2_000),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  thinks: fc.boolean(),
  reads: fc.boolean(),
  pause: fc.constantFrom(1_000, 1_000, 1_000, 400_000),
});

/** The data of an answer. */
interface Said {
  readonly named: readonly { readonly ref: string; readonly later: boolean }[];
  /** Tokens with the next request, and later. */
  readonly now: number;
  readonly later: number;
}

function readAnswer(answer: string): Said {
  const [, line = ""] = /^(?:Cut|Restored): (.+)$/m.exec(answer) ?? [];
  const named =
    line === ""
      ? []
      : line.split(", ").map((item) => ({ ref: item.slice(0, 6), later: item.endsWith("(later)") }));
  const [, total = "0", rest = ""] = /^(?:Saved|Back): ([\d,]+) tokens?[,:] (.*)$/m.exec(answer) ?? [];
  const pieces = /^[\d,]+ /.test(rest) ? rest.split("; ") : rest === "" ? [] : [`${total} ${rest}`];
  const sum = (isNow: boolean) =>
    pieces
      .filter((piece) => piece.includes("from the next request on") === isNow)
      .reduce((tokens, piece) => tokens + Number(/^[\d,]+/.exec(piece)?.[0].replaceAll(",", "")), 0);
  const said = { named, now: sum(true), later: sum(false) };
  expect(said.now + said.later, answer).toBe(Number(total.replaceAll(",", "")));
  return said;
}

/** The report's data on the agent's requests at one request. */
interface Done {
  readonly cuts: readonly Cut[];
  readonly undone: readonly UndoEdit[];
  readonly waiting: Report["waiting"];
  /** Cuts by others. */
  readonly others: readonly Cut[];
}

function readReport({ cut, waiting }: Report): Done {
  const own = (cut?.edits ?? []).filter(({ author }) => author === "agent");
  return {
    cuts: own.filter((edit) => edit.type !== "undo"),
    undone: own.filter((edit) => edit.type === "undo"),
    waiting: waiting.filter(({ author }) => author === "agent"),
    others: (cut?.edits ?? []).filter((edit) => edit.type !== "undo" && edit.author !== "agent") as Cut[],
  };
}

/** Plays the script; after each of its steps the agent asks, and the next request is compared with the answer. */
class Play {
  readonly session: AgentSession;
  readonly binds: boolean;
  readonly seen = { now: 0, later: 0, back: 0, backLater: 0, refused: 0, bound: 0 };
  /** Parts with text to be restored. */
  readonly #returning = new Set<string>();

  constructor(session: AgentSession, binds: boolean) {
    this.session = session;
    this.binds = binds;
  }

  play(script: Script, wishes: readonly Wish[]): void {
    let next = 0;
    this.session.turns = [];
    for (const turn of script.turns) {
      this.session.prompt(turn.prompt);
      for (const { text, thinking, calls } of turn.steps) {
        this.session.step({
          ...(text !== undefined && { text }),
          ...(thinking && { thinking }),
          calls: calls.map(({ tool, input, output, split }) => [tool, input, output, split]),
        });
        const each = wishes[next++ % wishes.length];
        if (each) this.#ask(each);
      }
    }
  }

  #ask(each: Wish): void {
    const { session } = this;
    const before = session.prune().report;
    const input = { action: each.action, targets: this.#chooseTargets(each, before) };
    const waited = readReport(before).waiting;
    const active = before.edits.map(({ edit }) => edit).filter((edit) => edit.type !== "undo");
    const answer = answerPrune(input, session.view());
    const large = Array.from({ length: 150 }, (_, i) => `line ${i} of something new`).join("\n");
    session.step({
      pause: each.pause,
      ...(each.thinks && this.binds && { thinking: { text: "Let me tidy up.", signed: true } }),
      calls: [
        ["context_prune", input, answer],
        ...(each.reads ? [["bash", { command: "make" }, large] as const] : []),
      ],
    });
    const { length } = session.view().facts.transcript;
    const { report } = session.prune();
    // Not every format has signed reasoning.
    const binds = this.binds && (session.view().facts.signed.at(-1) ?? 0) >= length;
    const said = readAnswer(answer);
    if (said.named.length === 0) {
      expect(answer.toLowerCase()).toContain("nothing changed");
      this.seen.refused++;
    }
    const done = readReport(report);
    if (each.action === "restore") this.#checkRestored(said, done, waited, active, binds, answer);
    else this.#checkCut(said, done, waited, report, binds, answer);
  }

  #checkCut(
    said: Said,
    done: Done,
    waited: Report["waiting"],
    report: Report,
    binds: boolean,
    answer: string,
  ): void {
    const parts = (later: boolean) =>
      new Set(said.named.filter((each) => each.later === later).map(({ ref }) => this.#partOf(ref, answer)));
    const [now, later] = [parts(false), parts(true)];
    // A repeated request replaces the first; waiting cuts in other parts belong to other calls.
    const again = new Set(said.named.map(({ ref }) => ref));
    const waitedBefore = waited.filter(({ ref }) => !again.has(ref));
    const isFresh = ({ part, ref }: { readonly part: string; readonly ref: string }) =>
      !waitedBefore.some(
        (each) => each.part === part && (each.ref === ref || !(now.has(part) || later.has(part))),
      );
    const fresh = done.cuts.filter(isFresh);
    const waits = done.waiting.filter(isFresh);
    if (binds) {
      expect(fresh, answer).toEqual([]);
      expect(sum(waits.map(({ saves }) => saves)), answer).toBe(said.now + said.later);
      if (now.size > 0) this.seen.bound++;
      return;
    }
    // The accepted refs are exactly the parts that are cut or wait.
    expect(new Set([...fresh, ...waits].map(({ part }) => part)), answer).toEqual(
      new Set([...now, ...later]),
    );
    for (const part of now)
      expect(
        fresh.map((cut) => cut.part),
        answer,
      ).toContain(part);
    const ofNow = fresh.filter(({ part }) => now.has(part) && !later.has(part));
    if (![...now].some((part) => later.has(part) || waitedBefore.some((each) => each.part === part))) {
      expect(sum(ofNow.map(({ saved }) => saved)), answer).toBe(said.now);
    }
    const first = this.#firstChanged(report);
    for (const part of later) {
      const isCut = fresh.some((cut) => cut.part === part);
      // A requested cut is made with one that reaches it; it does not cause one itself.
      if (!this.binds) expect(isCut, answer).toBe(first <= this.#indexOf(part));
      if (isCut && first === this.#indexOf(part) && !now.has(part))
        expect(report.cut?.reason, answer).not.toBe("requested");
    }
    if (later.size > 0 && ![...later].some((part) => fresh.some((cut) => cut.part === part)))
      expect(sum(waits.map(({ saves }) => saves)), answer).toBe(said.later);
    this.seen.now += now.size;
    this.seen.later += later.size;
  }

  #checkRestored(
    said: Said,
    done: Done,
    waited: Report["waiting"],
    active: readonly Cut[],
    binds: boolean,
    answer: string,
  ): void {
    expect(done.cuts.filter(({ part }) => !waited.some((each) => each.part === part))).toEqual([]);
    const partOf = (edit: UndoEdit) => active.find(({ id }) => id === edit.target)?.part ?? "";
    const returning = new Set(this.#returning);
    const named = said.named.map(({ ref, later }) => ({ part: this.#partOf(ref, answer), later, ref }));
    for (const { part, later } of named) if (later) this.#returning.add(part);
    for (const edit of done.undone) {
      const part = partOf(edit);
      expect(returning.has(part) || named.some((each) => each.part === part), answer).toBe(true);
    }
    const own = done.undone.filter((edit) => !returning.has(partOf(edit)));
    if (binds) return;
    const now = new Set(named.filter(({ later }) => !later).map(({ part }) => part));
    const ofNow = own.filter((edit) => now.has(partOf(edit)));
    // A cut made at the same time hides restored text.
    const hiding = [...done.cuts, ...done.others].flatMap((cut): readonly string[] =>
      cut.type === "drop" ? cut.parts : [cut.part],
    );
    const isHidden = (part: string) => hiding.includes(part);
    if (![...now].some((part) => returning.has(part) || isHidden(part)))
      expect(0 - sum(ofNow.map(({ saved }) => saved)), answer).toBe(said.now);
    const stillStands = new Set(
      this.session
        .view()
        .ledger.active()
        .filter(({ author }) => author === "agent")
        .map(({ ref }) => ref as string),
    );
    for (const { ref, later } of named) if (!later) expect(stillStands.has(ref), answer).toBe(false);
    for (const { ref } of named)
      expect(
        done.waiting.map((each) => each.ref as string),
        answer,
      ).not.toContain(ref);
    this.seen.back += ofNow.length;
    this.seen.backLater += named.filter(({ later }) => later).length;
  }

  #firstChanged({ cut }: Report): number {
    if (!cut || cut.reason === "never-sent") return Number.POSITIVE_INFINITY;
    const cuts = cut.edits.filter((edit) => edit.type !== "undo");
    return Math.min(...cuts.map(({ part }) => this.#indexOf(part)));
  }

  #indexOf(part: string): number {
    return this.session.view().facts.transcript.find(part as never) ?? -1;
  }

  #partOf(ref: string, answer: string): string {
    const part = this.session.view().facts.refs.placeOf(ref as never)?.part;
    expect(part, answer).toBeDefined();
    return part ?? "";
  }

  #chooseTargets({ action, targets }: Wish, report: Report): readonly unknown[] {
    const view = this.session.view();
    const pickOf = <T>(list: readonly T[], pick: number): T | undefined =>
      list[pick % Math.max(1, list.length)];
    const prunable = listPrunable(view);
    const any = view.facts.transcript.parts.flatMap((_, i) => view.facts.partRef(i) ?? []);
    const cuts = [
      ...report.edits.flatMap(({ edit }) =>
        edit.type !== "undo" && edit.author === "agent" ? [edit.ref] : [],
      ),
      ...report.waiting.flatMap(({ ref, author }) => (author === "agent" ? [ref] : [])),
    ];
    const refs: string[] = [];
    return targets.map(({ sort, pick, summary }) => {
      if (action === "replace") return this.#chooseOperation(sort, pick, summary);
      const ref =
        {
          prunable: action === "restore" ? pickOf(cuts, pick) : pickOf(prunable, pick)?.ref,
          any: pickOf(any, pick),
          cut: pickOf(cuts, pick),
          unknown: "000000",
          malformed: "zz",
          again: pickOf(refs, pick),
        }[sort] ?? "000000";
      refs.push(ref);
      return action === "distill" ? [ref, summary] : [ref];
    });
  }

  #chooseOperation(sort: (typeof SORTS)[number], pick: number, summary: string): readonly string[] {
    const view = this.session.view();
    const prunable = listPrunable(view);
    const part = prunable[pick % Math.max(1, prunable.length)]?.part ?? 0;
    const text = view.facts.transcript.part(part).leaves.at(-1)?.text ?? "";
    const from = sort === "any" ? 37 : 0;
    const [start, end] = [text.slice(from, from + 40), text.slice(from + 60, from + 100)];
    return sort === "malformed" ? [start] : [start, sort === "unknown" ? "not there" : end, summary.trim()];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

const RUNS = Number(process.env.LAW_RUNS ?? 12);

describe.each(FORMATS)("%s", (format) => {
  const seen = { now: 0, later: 0, back: 0, backLater: 0, refused: 0, bound: 0 };

  test.each(RULES)("the next report confirms the answer; reasoning: %s", (rule, reasoning) => {
    fc.assert(
      fc.property(
        scripts({ reasoning }),
        fc.array(wish, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(
          "rent-or-buy" as const,
          "rent-or-buy" as const,
          "eager" as const,
          "pressure" as const,
        ),
        fc.constantFrom(0, 300, 20_000),
        fc.constantFrom(12_000, 1_000_000),
        (script, wishes, mode, requestedLimit, window) => {
          const session = new AgentSession(
            {
              prefixTokens: 2_000,
              config: {
                window,
                tools: { todoReminder: { enabled: false } },
                schedule: { mode, requestedLimit, prices: { "*": { reasoning: rule } } },
              },
            },
            format,
          );
          const play = new Play(session, rule === "bound");
          play.play(script, wishes);
          for (const key of Object.keys(seen) as (keyof typeof seen)[]) seen[key] += play.seen[key];
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  test("all cases occurred", () => {
    if (!isCertain(RUNS, 100)) return;
    const { bound, ...others } = seen;
    for (const [what, times] of Object.entries(others)) expect(times, what).toBeGreaterThan(0);
    // There is no signed reasoning in chat messages.
    if (format !== "openai-chat") expect(bound).toBeGreaterThan(0);
  });
});

test.each<SessionStatus>(["off", "shadow"])(
  "where Coppice is %s nothing is promised and nothing done",
  (status) => {
    fc.assert(
      fc.property(
        scripts({ reasoning: "none" }),
        fc.array(wish, { minLength: 1, maxLength: 6 }),
        (script, wishes) => {
          const session = new AgentSession({ prefixTokens: 2_000, config: { window: 12_000 } });
          session.status = status;
          const play = new Play(session, false);
          play.play(script, wishes);
          const { refused, ...others } = play.seen;
          expect(sum(Object.values(others))).toBe(0);
          expect(refused).toBeGreaterThan(0);
        },
      ),
      { numRuns: 8, endOnFailure: true },
    );
  },
);
