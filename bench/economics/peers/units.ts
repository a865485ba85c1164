import type { DecodedMessage } from "../../../src/transcript/message.ts";
import type { CallPart, Part, ReasoningPart, ResultPart, TextPart } from "../../../src/transcript/part.ts";

export type UnitPart = TextPart | ReasoningPart | CallPart | ResultPart;

/** A message as libraries have it: a host's message may be several of these. */
export interface Unit {
  readonly id: string;
  readonly role: "system" | "user" | "assistant" | "tool";
  /** Index of the host's message. */
  readonly message: number;
  readonly parts: readonly UnitPart[];
}

/**
 * Splits messages by who speaks; a result is a unit of its own. Files, markers and unknown parts have no unit, and stay.
 *
 *   OpenCode: { text, call + result, call + result }  ->  assistant: text, call, call | tool | tool
 */
export function splitUnits(decoded: readonly DecodedMessage[], firstMessage = 0): readonly Unit[] {
  return decoded.flatMap(({ parts }, at) => {
    const message = firstMessage + at;
    const own = parts.filter(isUnitPart);
    const spoken = own.filter((part) => part.kind !== "result");
    const results = own.filter((part) => part.kind === "result");
    const groups = [...(spoken.length > 0 ? [spoken] : []), ...results.map((part) => [part])];
    const inOrder = own[0]?.kind === "result" ? groups.toSorted(bySlotOrder(own)) : groups;
    return inOrder.map((group, i) => ({
      id: `${message}.${i}`,
      role: roleOf(group, message),
      message,
      parts: group,
    }));
  });
}

/** A user message may hold results and then a text: the results come first. */
function bySlotOrder(order: readonly UnitPart[]) {
  const placeOf = (group: readonly UnitPart[]): number => (group[0] ? order.indexOf(group[0]) : 0);
  return (a: readonly UnitPart[], b: readonly UnitPart[]): number => placeOf(a) - placeOf(b);
}

function isUnitPart(part: Part): part is UnitPart {
  return part.kind === "text" || part.kind === "reasoning" || part.kind === "call" || part.kind === "result";
}

/** Only a leading system message is one; libraries know no developer in the middle. */
function roleOf(parts: readonly UnitPart[], message: number): Unit["role"] {
  const [first] = parts;
  if (first?.kind === "result") return "tool";
  if (first?.role === "assistant") return "assistant";
  return message === 0 && (first?.role === "system" || first?.role === "developer") ? "system" : "user";
}

/** Call ids that are unique in a segment, for recordings where they are not: each result goes with the last call of its id. */
export class CallNames {
  readonly #names = new Map<Part, string>();
  readonly #newest = new Map<string, { readonly name: string; readonly tool: string }>();
  readonly #tools = new Map<Part, string>();
  #count = 0;

  take(units: readonly Unit[]): void {
    for (const part of units.flatMap(({ parts }) => parts)) {
      if (part.kind === "call") {
        const name = `call-${this.#count++}`;
        this.#newest.set(part.callId, { name, tool: part.tool });
        this.#names.set(part, name);
      } else if (part.kind === "result") {
        const { name, tool } = this.#newest.get(part.callId) ?? { name: `lost-${this.#count++}`, tool: "" };
        this.#names.set(part, name);
        this.#tools.set(part, tool);
      }
    }
  }

  /** Of a call or a result. */
  of(part: Part): string {
    return this.#names.get(part) ?? "";
  }

  toolOf(result: Part): string {
    return this.#tools.get(result) ?? "";
  }
}

export function textOf({ leaves }: Part): string {
  return leaves.map(({ text }) => text).join("\n");
}
