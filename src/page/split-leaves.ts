import { isRecord } from "../basics/json.ts";
import { formatNumber } from "../basics/numbers.ts";
import type { EditId, ReplaceEdit } from "../edits/edit.ts";
import { showing } from "../edits/leaf-edits.ts";
import { collectLeaves } from "../formats/json-leaves.ts";
import type { Leaf, Media, Part } from "../transcript/part.ts";
import type { LeafData, ShownPiece } from "./data.ts";

/** The texts of a part, in pieces. For files and images only a name is shown, not their data. */
export function splitLeaves(
  part: Part,
  replacements: readonly ReplaceEdit[],
  numberOf: (id: EditId) => number,
): readonly LeafData[] {
  return listLeaves(part).map(({ id, text }) => {
    const active = showing(replacements.filter(({ leaf }) => leaf === id));
    const whole =
      part.kind === "file" ? active.map((edit) => ({ ...edit, from: 0, to: text.length })) : active;
    return { name: id, pieces: splitText(text, whole, numberOf) };
  });
}

function splitText(
  text: string,
  edits: readonly ReplaceEdit[],
  numberOf: (id: EditId) => number,
): readonly ShownPiece[] {
  const pieces: ShownPiece[] = [];
  let at = 0;
  for (const { id, from, to, text: instead } of edits) {
    if (from > at) pieces.push({ text: text.slice(at, from) });
    pieces.push({ text: text.slice(from, to), cut: { edit: numberOf(id), instead } });
    at = to;
  }
  if (at < text.length) pieces.push({ text: text.slice(at) });
  return pieces;
}

function listLeaves(part: Part): readonly Leaf[] {
  switch (part.kind) {
    case "file":
      return [{ id: part.leaves[0]?.id ?? "data", text: describeMedia(part.media) }];
    case "opaque":
      return collectLeaves(part.raw, "").map(({ id, text }) => ({ id: id.slice(1), text: nameData(text) }));
    case "call":
      return [
        ...(part.leaves.length > 0 ? part.leaves : collectLeaves(part.input, "input")),
        ...listPlain(part.input),
      ];
    case "result":
      return [
        ...part.leaves,
        ...(part.media ?? []).map((media) => ({ id: "media", text: describeMedia(media) })),
      ];
    default:
      return part.leaves;
  }
}

/** Numbers and booleans of an input, which are not leaves. */
function listPlain(input: unknown): readonly Leaf[] {
  if (!isRecord(input)) return [];
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === "number" || typeof value === "boolean"
      ? [{ id: `input/${key}`, text: String(value) }]
      : [],
  );
}

function describeMedia({ mime, name, bytes }: Media): string {
  const size = bytes === undefined ? undefined : `${formatNumber(bytes)} bytes`;
  return `[${[name, mime, size].filter((each) => each !== undefined).join(", ")}]`;
}

const LONGEST_WORD = 2_000;

function nameData(text: string): string {
  return text.length > LONGEST_WORD && !/\s/.test(text)
    ? `[${formatNumber(text.length)} characters of data]`
    : text;
}
