import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { IssueCode } from "../../src/basics/issue.ts";
import { detectFormat } from "../../src/formats/detect.ts";
import type { Format, MessageChanges } from "../../src/formats/format.ts";
import { decodeMessages } from "../../src/formats/intake/decode.ts";
import { stripNote } from "../../src/formats/note.ts";
import { Trace } from "../../src/formats/trace.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import type { DecodedMessage } from "../../src/transcript/message.ts";
import type { Leaf, Part } from "../../src/transcript/part.ts";

export interface FormatSamples {
  /** Histories that the provider accepts, by name. Unknown fields should be wherever the provider allows objects. */
  readonly good: Readonly<Record<string, readonly unknown[]>>;
  /** Histories that it refuses, by name, each for one reason. */
  readonly broken: Readonly<
    Record<
      string,
      { readonly messages: readonly unknown[]; readonly rule?: ReasoningRule; readonly code: IssueCode }
    >
  >;
  /** The field that the host needs in a message whose result was cut. */
  readonly stamp?: string;
}

/** The rules of every format. */
export function describeFormat(format: Format, { good, broken, stamp }: FormatSamples): void {
  const histories = Object.entries(good);
  const messages = histories.flatMap(([name, list]) =>
    list.map((message, index) => ({ name: `${name}/${index}`, message, index, list })),
  );
  const leaves = messages.flatMap((sample) =>
    format
      .decode(sample.message)
      .parts.filter((part) => !part.transient)
      .flatMap((part) => part.leaves.map((leaf) => ({ ...sample, part, leaf }))),
  );

  describe("decode", () => {
    it.each(messages)("$name: slots and leaf ids are unique", ({ message }) => {
      const { parts } = format.decode(message);
      expect(new Set(parts.map(({ slot }) => slot)).size).toBe(parts.length);
      for (const part of parts)
        expect(new Set(part.leaves.map(({ id }) => id)).size).toBe(part.leaves.length);
    });
    it.each(messages)("$name: only an assistant's first part opens a step", ({ message }) => {
      const opening = format.decode(message).parts.filter(({ opensStep }) => opensStep);
      for (const part of opening) expect(part.role).toBe("assistant");
    });
    it("finds something to edit in the samples", () => expect(leaves.length).toBeGreaterThan(10));
  });

  const { look } = format;
  if (look) {
    /** Would it be mistaken for the other one? */
    const recognises = (message: unknown, other: unknown): boolean => {
      const trace = new Trace();
      if (!look(other, trace)) return false;
      trace.rewind();
      return look(message, trace) && trace.isThrough;
    };
    describe("look", () => {
      it("recognises a message that it has seen", () => {
        const seen = messages.filter(({ message }) => recognises(structuredClone(message), message));
        expect(seen.length).toBeGreaterThan(2);
      });
      it.each(messages)("$name: nothing else, for any change of a value in it", ({ message }) => {
        const known = format.decode(message);
        for (const other of listVariants(message))
          if (recognises(other, message)) expect(format.decode(other)).toEqual(known);
      });
      it.each(histories)("%s: never mistakes one message for another", (_, list) => {
        for (const message of list)
          for (const other of list)
            if (recognises(message, other)) expect(format.decode(message)).toEqual(format.decode(other));
      });
    });
  }

  describe("rewrite", () => {
    it.each(messages)("$name: without changes returns the very same object", ({ message }) => {
      expect(format.rewrite(message, changesOf())).toBe(message);
      expect(format.rewrite(message, changesOf([["no such slot", "text", "x"]], ["no such slot"]))).toBe(
        message,
      );
    });
    it.each(leaves)(
      "$name: $part.slot $leaf.id unchanged gives the very same object",
      ({ message, part, leaf }) => {
        expect(format.rewrite(message, changesOf([[part.slot, leaf.id, leaf.text]]))).toBe(message);
      },
    );
    it.each(leaves)("$name: $part.slot $leaf.id becomes another text", ({ message, part, leaf }) => {
      const before = structuredClone(message);
      const rewritten = format.rewrite(message, changesOf([[part.slot, leaf.id, NEW_TEXT]]));
      expect(message).toEqual(before);
      if (isSigned(part)) {
        expect(rewritten).toBe(message);
        return;
      }
      const after = stamp !== undefined && part.kind === "result" ? unstamp(rewritten, stamp) : rewritten;
      expect(format.decode(after)).toEqual(withLeaf(format.decode(message), part, leaf, NEW_TEXT));
      expect(findChanges(message, after).length).toBeGreaterThan(0);
      if (part.kind !== "file") expect(findChanges(message, after)).toHaveLength(1);
    });
    it.each(leaves)("$name: $part.slot $leaf.id may be emptied", ({ message, part, leaf, list, index }) => {
      const after = format.rewrite(message, changesOf([[part.slot, leaf.id, ""]]));
      expect(after).toBeDefined();
      expect(format.validate(list.with(index, after), "none")).toEqual([]);
      const left = format.decode(after).parts.flatMap((p) => p.leaves);
      if (!isSigned(part) && leaf.text !== "") {
        expect(left.length).toBeLessThanOrEqual(format.decode(message).parts.flatMap((p) => p.leaves).length);
        expect(left.filter(({ text }) => text === leaf.text).length).toBeLessThan(
          format
            .decode(message)
            .parts.flatMap((p) => p.leaves)
            .filter(({ text }) => text === leaf.text).length,
        );
      }
    });
    it("accepts any texts in any number of leaves at once", () => {
      fc.assert(
        fc.property(
          fc.constantFrom(...messages),
          fc.array(anyString, { minLength: 1, maxLength: 5 }),
          ({ message }, texts) => {
            const { parts } = format.decode(message);
            const wanted = parts
              .filter((part) => part.kind !== "file" && !isSigned(part))
              .flatMap((part) => part.leaves.map((leaf) => ({ part, leaf })))
              .map(({ part, leaf }, i) => [part.slot, leaf.id, `t:${texts[i % texts.length]}`] as const);
            const after = format.decode(format.rewrite(message, changesOf(wanted)));
            for (const [slot, id, text] of wanted) {
              const part = after.parts.find((candidate) => candidate.slot === slot);
              expect(part?.leaves.find((leaf) => leaf.id === id)?.text).toBe(text);
            }
          },
        ),
      );
    });
  });

  describe("drop", () => {
    const reasoning = messages.flatMap((sample) =>
      format
        .decode(sample.message)
        .parts.filter(({ kind }) => kind === "reasoning")
        .map((part) => ({ ...sample, part })),
    );
    it.each(reasoning)("$name: reasoning $part.slot is dropped as a whole", ({ message, part }) => {
      const before = format.decode(message).parts;
      const after = format.rewrite(message, changesOf([], [part.slot]));
      const left = after === undefined ? [] : format.decode(after).parts;
      expect(contentsOf(left)).toEqual(contentsOf(before.filter(({ slot }) => slot !== part.slot)));
    });
    it.each(histories)("%s: each step's calls are dropped with their results", (_, list) => {
      for (const ids of listCallIds(format, list).filter((step) => step.length > 0)) {
        const kept = dropCalls(format, list, ids);
        expect(format.validate(kept, "none")).toEqual([]);
        const parts = kept.flatMap((message) => format.decode(message).parts);
        expect(parts.filter((part) => "callId" in part && ids.includes(part.callId))).toEqual([]);
      }
    });
    it.each(messages)("$name: nothing is left when every part is dropped", ({ message }) => {
      const slots = format.decode(message).parts.map(({ slot }) => slot);
      if (slots.length > 0) expect(format.rewrite(message, changesOf([], slots))).toBeUndefined();
    });
  });

  describe("note", () => {
    const ends = histories.flatMap(([name, list]) =>
      list.map((_, index) => ({ name: `${name} up to ${index}`, list: list.slice(0, index + 1) })),
    );
    it.each(ends)("$name: is at the very end, and the request is as legal as before", ({ list }) => {
      const before = structuredClone(list);
      const { messages: placed, added } = format.placeNote(list, NEW_TEXT);
      expect(list).toEqual(before);
      const kept = added === "message" ? list : list.slice(0, -1);
      expect(placed).toHaveLength(kept.length + 1);
      for (const [i, message] of kept.entries()) expect(placed[i]).toBe(message);
      const last = format.decode(placed.at(-1));
      expect(last.role).toBe("user");
      expect(last.parts.at(-1)?.leaves).toEqual([expect.objectContaining({ text: NEW_TEXT })]);
      for (const rule of ["none", "field", "signed", "bound"] as const) {
        const codes = (messages: readonly unknown[]) =>
          format.validate(messages, rule).map(({ code }) => code);
        expect(codes(placed)).toEqual(codes(list));
      }
      expect(detectFormat(placed)).toBe(detectFormat(list) ?? format.name);
    });
    it.each(ends)("$name: is stripped byte for byte, through JSON too", ({ list }) => {
      const placed = format.placeNote(list, NEW_TEXT);
      expect(JSON.stringify(stripNote(placed))).toBe(JSON.stringify(list));
      const read = JSON.parse(JSON.stringify(placed));
      expect(JSON.stringify(stripNote(read))).toBe(JSON.stringify(list));
    });
    it("on any value", () => {
      fc.assert(
        fc.property(fc.array(fc.jsonValue(), { maxLength: 3 }), (list) => {
          expect(JSON.stringify(stripNote(format.placeNote(list, "x")))).toBe(JSON.stringify(list));
        }),
      );
    });
  });

  describe("validate", () => {
    it.each(histories)("%s is accepted", (_, list) => {
      for (const rule of ["none", "signed", "bound"] as const)
        expect(format.validate(list, rule)).toEqual([]);
    });
    it.each(Object.entries(broken))("%s is refused", (_, { messages: list, rule, code }) => {
      expect(format.validate(list, rule ?? "none").map((issue) => issue.code)).toEqual([code]);
    });
  });

  describe("detect", () => {
    it.each(histories)("%s is of this format", (_, list) => expect(detectFormat(list)).toBe(format.name));
  });

  describe("total", () => {
    const exercise = (message: unknown): void => {
      const { parts } = format.decode(message);
      const texts = parts.flatMap((part) => part.leaves.map((leaf) => [part.slot, leaf.id, "x"] as const));
      const empties = texts.map(([slot, id]) => [slot, id, ""] as const);
      const slots = parts.map(({ slot }) => slot);
      for (const changes of [
        changesOf(texts),
        changesOf(empties),
        changesOf([], slots),
        changesOf([], slots.slice(1)),
      ]) {
        format.decode(format.rewrite(message, changes));
      }
      expect(format.rewrite(message, changesOf())).toBe(message);
      for (const rule of ["none", "field", "signed", "bound"] as const)
        format.validate([message, message], rule);
      expect(format.detect([message])).toBeGreaterThanOrEqual(0);
    };
    it("on any value", () => {
      fc.assert(
        fc.property(fc.anything({ withSparseArray: true, withBigInt: true, withDate: true }), exercise),
      );
    });
    it("on the samples with any value anywhere in them", () => {
      fc.assert(
        fc.property(fc.constantFrom(...messages), fc.nat(), fc.anything(), ({ message }, at, value) => {
          exercise(replaceNth(structuredClone(message), at, value));
        }),
        { numRuns: 1000 },
      );
    });
    it("on values that contain themselves, and very long and ill-formed strings", () => {
      const cyclic: { self?: unknown; text: string } = { text: "x" };
      cyclic.self = cyclic;
      const long = "y".repeat(20_000_000);
      for (const { message } of messages) {
        for (const value of [cyclic, [cyclic], long, "\ud800 alone", null, 7]) {
          for (let at = 0; at < countValues(message); at++) {
            if (value === long && at % 31 > 0) continue;
            exercise(replaceNth(structuredClone(message), at, value));
          }
        }
      }
      exercise(cyclic);
    });
  });
}

/** Any 16-bit units, lone surrogates too. */
export const anyString: fc.Arbitrary<string> = fc
  .array(fc.nat(0xffff), { maxLength: 10 })
  .map((codes) => String.fromCharCode(...codes));

const NEW_TEXT = 'not "the" old\n\ttext \\ é';

type LeafChange = readonly [slot: string, leaf: string, text: string];

/** Without the field, which is required. */
function unstamp(message: unknown, stamp: string): unknown {
  const { [stamp]: stamped, ...rest } = message as Record<string, unknown>;
  // In an entry of a session the message has it.
  if (stamped === undefined && rest.message) return { ...rest, message: unstamp(rest.message, stamp) };
  expect(stamped).toBeDefined();
  return rest;
}

export function changesOf(
  texts: readonly LeafChange[] = [],
  dropped: readonly string[] = [],
): MessageChanges {
  const leaves = new Map<string, Map<string, string>>();
  for (const [slot, leaf, text] of texts) leaves.set(slot, (leaves.get(slot) ?? new Map()).set(leaf, text));
  return { leaves, dropped: new Set(dropped) };
}

/** The messages without these calls and their results, and without parts that form a unit with them. */
export function dropCalls(
  format: Format,
  list: readonly unknown[],
  ids: readonly string[],
): readonly unknown[] {
  const decoded = decodeMessages(format, list);
  const steps = countSteps(decoded);
  const isMeant = (part: Part): boolean =>
    (part.kind === "call" || part.kind === "result") && ids.includes(part.callId);
  const broken = new Set(steps.filter((_, index) => decoded[index]?.parts.some(isMeant)));
  return decoded.flatMap(({ parts }, index) => {
    const isBroken = broken.has(steps[index] ?? -1);
    const slots = parts.filter((part) => isMeant(part) || (isBroken && part.unit)).map(({ slot }) => slot);
    const kept = format.rewrite(list[index], changesOf([], slots));
    return kept === undefined ? [] : [kept];
  });
}

function listCallIds(format: Format, list: readonly unknown[]): readonly (readonly string[])[] {
  const decoded = decodeMessages(format, list);
  const ids: string[][] = [];
  for (const [index, step] of countSteps(decoded).entries())
    ids[step] = [...(ids[step] ?? []), ...callIdsOf(decoded[index])];
  return ids;
}

/** For each message the number of responses begun so far. */
function countSteps(decoded: readonly DecodedMessage[]): readonly number[] {
  let step = 0;
  return decoded.map(({ parts }) => (parts[0]?.opensStep ? ++step : step));
}

function callIdsOf(message: DecodedMessage | undefined): readonly string[] {
  return (message?.parts ?? []).flatMap((part) =>
    part.kind === "call" && !part.server ? [part.callId] : [],
  );
}

function isSigned(part: Part): boolean {
  return (part.kind === "reasoning" || part.kind === "call" || part.kind === "text") && part.signed === true;
}

function withLeaf(message: DecodedMessage, part: Part, leaf: Leaf, text: string): DecodedMessage {
  const parts = message.parts.map((candidate): unknown => {
    if (candidate.slot !== part.slot) return candidate;
    if (candidate.kind === "file") {
      return expect.objectContaining({ kind: "text", slot: part.slot, leaves: [{ id: "text", text }] });
    }
    const leaves = candidate.leaves.map((old) => (old.id === leaf.id ? { id: old.id, text } : old));
    if (candidate.kind === "call")
      return { ...candidate, leaves, input: replaceString(candidate.input, leaf.text, text) };
    return candidate.kind === "result" && candidate.value !== undefined
      ? { ...candidate, leaves, value: replaceString(candidate.value, leaf.text, text) }
      : { ...candidate, leaves };
  });
  return { ...message, parts: parts as Part[] };
}

/** The strings of one sample input differ from each other. */
function replaceString(value: unknown, old: string, text: string): unknown {
  if (value === old) return text;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => replaceString(inner, old, text));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, replaceString(inner, old, text)]),
  );
}

/** Parts without their places, which change when others are dropped. */
function contentsOf(parts: readonly Part[]): readonly unknown[] {
  return parts.map(({ slot: _, opensStep: _opens, ...content }) => content);
}

/**
 * The differences between two values. Equal values must be identical: a copy of an unchanged value is reported as a
 * separate change.
 */
function findChanges(before: unknown, after: unknown, path = ""): readonly string[] {
  if (before === after) return [];
  if (typeof before !== "object" || typeof after !== "object" || before === null || after === null)
    return [path];
  const a = new Map<string, unknown>(Object.entries(before));
  const b = new Map<string, unknown>(Object.entries(after));
  const keys = new Set([...a.keys(), ...b.keys()]);
  const inside = [...keys].flatMap((key) => findChanges(a.get(key), b.get(key), `${path}/${key}`));
  return inside.length > 0 ? inside : [`${path} (copied)`];
}

function countValues(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return 1 + Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 0);
}

/** Replaces the nth inner value, counted depth first and from the start again if there are fewer. */
function replaceNth(root: unknown, nth: number, replacement: unknown): unknown {
  let left = nth % countValues(root);
  const visit = (value: unknown): unknown => {
    if (left-- === 0) return replacement;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(visit);
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, visit(inner)]));
  };
  return visit(root);
}

/** The value with one inner value changed, missing, doubled or new, for every inner value. */
function* listVariants(value: unknown): Generator<unknown> {
  for (const other of ["other", 7, true, null, undefined, [], {}]) if (other !== value) yield other;
  if (typeof value === "string") yield `${value} `;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield value.toSpliced(i, 1);
      yield value.toSpliced(i, 0, item);
      for (const other of listVariants(item)) yield value.with(i, other);
    }
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of NEW_FIELDS) yield { ...value, [name]: item };
    for (const [key, item] of Object.entries(value)) {
      const { [key]: _, ...rest } = value as Record<string, unknown>;
      yield rest;
      for (const other of listVariants(item)) yield { ...value, [key]: other };
    }
  }
}

const NEW_FIELDS: readonly (readonly [name: string, value: unknown])[] = [
  ["unheard-of", true],
  ["cache_control", { type: "ephemeral" }],
  ["thoughtSignature", "s"],
  ["encrypted_content", "s"],
  ["providerExecuted", true],
  ["providerOptions", { anthropic: { signature: "s" } }],
  ["providerOptions", { anthropic: { cacheControl: { type: "ephemeral" } } }],
  ["synthetic", true],
  ["summary", true],
  ["ignored", true],
  ["error", { name: "MessageAbortedError" }],
  ["metadata", { exit: 3 }],
  ["metadata", { providerExecuted: true }],
  ["metadata", { anthropic: { signature: "s" } }],
  ["attachments", [{ url: "data:image/png;base64,AAAA", mime: "image/png" }]],
];
