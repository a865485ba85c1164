import fc from "fast-check";
import { expect, test } from "vitest";
import { applyLedger } from "../../src/edits/apply.ts";
import type { SignedPlan } from "../../src/edits/cut-plan.ts";
import type { Cut } from "../../src/edits/edit.ts";
import { type GuardContext, guard } from "../../src/edits/guard.ts";
import { Ledger, type LedgerEntry } from "../../src/edits/ledger.ts";
import { View } from "../../src/edits/view.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { Refs } from "../../src/transcript/refs.ts";
import type { Transcript } from "../../src/transcript/transcript.ts";
import { render, type Session, scripts } from "../generate.ts";
import { dropPlan, replacePlan } from "../plans.ts";
import { transcriptOf } from "./transcript-of.ts";

interface Wish {
  readonly kind: "whole" | "span" | "drop" | "undo";
  readonly part: number;
  readonly leaf: number;
  readonly from: number;
  readonly to: number;
  readonly need: number | undefined;
  readonly text: string;
}

const wish: fc.Arbitrary<Wish> = fc.record({
  kind: fc.constantFrom("whole", "whole", "span", "span", "drop", "undo"),
  // Often one of a few, so that edits meet.
  part: fc.oneof(fc.nat(), fc.nat(6)),
  leaf: fc.nat(),
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  need: fc.option(fc.nat(), { nil: undefined }),
  text: fc.constantFrom("", "…", "[cut]"),
});

const FORMATS = ["openai-chat", "anthropic-messages", "opencode"] as const;
const sessions: fc.Arbitrary<Session> = fc
  .tuple(scripts({ reasoning: "plain" }), fc.constantFrom(...FORMATS))
  .map(([script, format]) => render(script, format));

interface World {
  readonly transcript: Transcript;
  readonly ledger: Ledger;
  readonly view: View;
  readonly context: GuardContext;
}

function makeWorld(session: Session): World {
  const transcript = transcriptOf(session);
  const ledger = new Ledger(transcript.undoLog);
  const view = new View(transcript, ledger);
  view.extend((index) =>
    transcript.part(index).kind === "result" ? "\n<tool_hash>a1b2c3</tool_hash>" : undefined,
  );
  const refs = new Refs(transcript.undoLog);
  return {
    transcript,
    ledger,
    view,
    context: {
      transcript,
      ledger,
      view,
      refs,
      reasoning: "none",
      userAfterResult: true,
      callAfterResponse: true,
      showsRefs: true,
      protectedFrom: () => undefined,
    },
  };
}

/** Makes the edits that the guard allows. */
function carryOut(world: World, wishes: readonly Wish[]): readonly LedgerEntry[] {
  const { ledger, view, context } = world;
  for (const each of wishes) {
    if (each.kind === "undo") {
      const active = ledger.active();
      const target = active[each.part % Math.max(1, active.length)];
      if (!target) continue;
      const saved = 0 - view.broughtBackBy(target);
      view.refresh(ledger.record({ type: "undo", target: target.id, author: "test", reason: "", saved }, 0));
      continue;
    }
    const plan = planOf(each, world.transcript);
    const checked = plan && guard(plan, undefined, context);
    if (checked?.ok) view.refresh(ledger.record(checked.value, 0));
  }
  return ledger.entries;
}

function planOf(each: Wish, transcript: Transcript): SignedPlan | undefined {
  const index = each.part % transcript.length;
  const part = transcript.part(index);
  const needs = each.need === undefined ? {} : { needs: [transcript.key(each.need % transcript.length)] };
  if (each.kind === "drop") return dropPlan(index);
  const leaf = part.leaves[each.leaf % Math.max(1, part.leaves.length)];
  if (!leaf) return undefined;
  const size = leaf.text.length;
  const span =
    each.kind === "whole"
      ? [0, size]
      : [Math.floor(each.from * size), Math.ceil(each.to * size)].sort((a, b) => a - b);
  const [from = 0, to = 0] = span;
  return replacePlan({ part: index, leaf: leaf.id, from, to, text: each.text, ...needs });
}

function show(session: Session, entries: readonly LedgerEntry[]): string {
  return JSON.stringify(applyLedger(formatByName(session.format), session.messages, entries).messages);
}

const wishes = fc.array(wish, { maxLength: 25 });
const RUNS = Number(process.env.LAW_RUNS ?? 400);

test("recording in any order produces the same messages, if no span is edited twice", () => {
  let edits = 0;
  fc.assert(
    fc.property(sessions, wishes, fc.infiniteStream(fc.nat()), (session, list, random) => {
      const world = makeWorld(session);
      carryOut(world, list);
      const active = world.ledger.active();
      const once = active.filter((a, i) => !active.slice(0, i).some((b) => a.ref === b.ref));
      const entries = once.map((edit) => ({ edit, request: 0 }));
      const shuffled = entries
        .map((entry) => [random.next().value, entry] as const)
        .sort(([a], [b]) => a - b)
        .map(([, entry]) => entry);
      expect(show(session, shuffled)).toBe(show(session, entries));
      edits += entries.length;
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(edits).toBeGreaterThan(RUNS);
});

test("undoing everything returns the very same objects", () => {
  fc.assert(
    fc.property(sessions, wishes, (session, list) => {
      const world = makeWorld(session);
      carryOut(world, list);
      for (const { id } of world.ledger.active()) {
        world.view.refresh(
          world.ledger.record({ type: "undo", target: id, author: "test", reason: "", saved: 0 }, 0),
        );
      }
      const { messages } = applyLedger(formatByName(session.format), session.messages, world.ledger.entries);
      expect(messages.every((message, i) => message === session.messages[i])).toBe(true);
      expect(world.view.total).toBe(world.view.uncut);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test("edits survive JSON, and a rollback of the undo log leaves no trace of them", () => {
  fc.assert(
    fc.property(sessions, wishes, wishes, (session, first, second) => {
      const world = makeWorld(session);
      carryOut(world, first);
      const entries = [...world.ledger.entries];
      const active = world.ledger.active();
      const total = world.view.total;
      expect(show(session, JSON.parse(JSON.stringify(entries)))).toBe(show(session, entries));
      const mark = world.transcript.undoLog.mark();
      carryOut(world, second);
      world.transcript.rollback(mark);
      world.view.forget();
      expect(world.ledger.entries).toEqual(entries);
      expect(world.view.total).toBe(total);
      expect(world.ledger.active()).toEqual(active);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});

test("the view's tokens are those of its text, edit by edit: each edit states how much smaller the view gets, tags and undos included", () => {
  const undone = { shown: 0, hidden: 0 };
  fc.assert(
    fc.property(sessions, wishes, (session, list) => {
      const world = makeWorld(session);
      for (const each of list) {
        const before = world.view.total;
        const entries = world.ledger.entries.length;
        carryOut(world, [each]);
        const edit = world.ledger.entries[entries]?.edit;
        if (!edit) continue;
        expect(before - world.view.total).toBe(edit.saved);
        if (edit.type !== "undo") expect(edit.saved).toBeGreaterThan(0);
        else undone[edit.saved < 0 ? "shown" : "hidden"]++;
      }
      const fresh = makeWorld(session);
      for (const { edit } of world.ledger.entries) fresh.view.refresh(fresh.ledger.record(edit, 0));
      expect(fresh.view.total).toBe(world.view.total);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(Math.min(undone.shown, undone.hidden)).toBeGreaterThan(0);
});

test("a part that an active edit refers to can't be cut, and an edit can't refer to a cut part", () => {
  fc.assert(
    fc.property(sessions, wishes, (session, list) => {
      const { ledger } = (() => {
        const world = makeWorld(session);
        carryOut(world, list);
        return world;
      })();
      const active = ledger.active();
      const cut = new Set(active.flatMap((edit: Cut) => (edit.type === "drop" ? edit.parts : [edit.part])));
      for (const edit of active) for (const need of edit.needs) expect(cut.has(need)).toBe(false);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
});
