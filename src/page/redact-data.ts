import type { LeafData, Piece, ReportData } from "./data.ts";

type Redact = (text: string) => string;

/** Puts every string of the report through `redact`. */
export function redactData(data: ReportData, redact: Redact): ReportData {
  const leaves = data.parts.map((part) => part.leaves.map((leaf) => redactLeaf(leaf, redact)));
  const bare = data.parts.map((part) => ({ ...part, leaves: [] }));
  const rest = mapStrings({ ...data, parts: bare }, redact);
  return { ...rest, parts: rest.parts.map((part, i) => ({ ...part, leaves: leaves[i] ?? [] })) };
}

/** If a secret lies across the edge of a cut, no single piece shows it: then the leaf is redacted as a whole. */
function redactLeaf({ name, pieces }: LeafData, redact: Redact): LeafData {
  const separate = pieces.map(
    ({ text, cut }): Piece => ({
      text: redact(text),
      ...(cut && { cut: { ...cut, instead: redact(cut.instead) } }),
    }),
  );
  const original = redact(joinOriginal(pieces));
  const shown = redact(joinShown(pieces));
  const isWhole = joinOriginal(separate) === original && joinShown(separate) === shown;
  if (isWhole) return { name: redact(name), pieces: separate };
  const cut = pieces.find((piece) => piece.cut)?.cut;
  return {
    name: redact(name),
    pieces: [{ text: original, ...(cut && { cut: { edit: cut.edit, instead: shown } }) }],
  };
}

function joinOriginal(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join("");
}

function joinShown(pieces: readonly Piece[]): string {
  return pieces.map(({ text, cut }) => cut?.instead ?? text).join("");
}

function mapStrings<T>(value: T, change: Redact): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)])) as T;
}
