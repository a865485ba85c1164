/** A number between 0 and below `count`, another each time; the same seed gives the same numbers. */
export type Dice = (count: number) => number;

export function makeDice(seed: number): Dice {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (count) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
}

/**
 * JSON with another spelling: blanks, needless escapes, order of keys, repeated keys, `1.0` and `1e0` for 1.
 * `JSON.parse` returns the value.
 */
export function writeOdd(value: unknown, dice: Dice): string {
  const blank = () => ["", "", "", " ", "\n", "\t", " \r\n "][dice(7)] ?? "";
  const write = (each: unknown): string => `${blank()}${writeBare(each)}${blank()}`;
  const writeBare = (each: unknown): string => {
    if (typeof each === "string") return writeText(each, dice);
    if (typeof each === "number") return writeNumber(each, dice);
    if (Array.isArray(each)) return `[${each.map(write).join(",") || blank()}]`;
    if (typeof each !== "object" || each === null) return JSON.stringify(each);
    const fields = shuffle(Object.entries(each), dice).flatMap(([name, field]) => [
      ...(dice(8) === 0 ? [[name, ["stands here twice", 7]] as const] : []),
      [name, field] as const,
    ]);
    return `{${fields.map(([name, field]) => `${blank()}${writeText(name, dice)}${blank()}:${write(field)}`).join(",") || blank()}}`;
  };
  return write(value);
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};

function writeText(text: string, dice: Dice): string {
  let literal = "";
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i);
    const code = text.charCodeAt(i);
    const isBare = code >= 0x20 && sign !== '"' && sign !== "\\" && (code < 0xd800 || code > 0xdfff);
    const short = SHORT[sign];
    const hex = code.toString(16).padStart(4, "0");
    if (isBare && dice(12) > 0) literal += sign;
    else if (short !== undefined && dice(3) > 0) literal += short;
    else literal += `\\u${dice(2) ? hex : hex.toUpperCase()}`;
  }
  return `"${literal}"`;
}

function writeNumber(value: number, dice: Dice): string {
  const plain = Object.is(value, -0) ? "-0" : JSON.stringify(value);
  if (!Number.isInteger(value) || plain.includes("e")) return plain;
  return [plain, plain, `${plain}.0`, `${plain}e0`, `${plain}.000E+0`][dice(5)] ?? plain;
}

function shuffle<T>(items: readonly T[], dice: Dice): readonly T[] {
  const left = [...items];
  return items.flatMap(() => left.splice(dice(3) === 0 ? dice(left.length) : 0, 1));
}
