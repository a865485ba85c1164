import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { CharacterSets } from "./character-sets.ts";

/**
 * An expression as positions, which match one character each, and the positions that may follow each. A link that
 * the expression makes twice is listed twice: `(?:a*)*` goes from `a` to `a` by either star.
 */
export interface Automaton {
  readonly sets: CharacterSets;
  /**
   * By position: the characters that it matches. Position 0 is the search for the start of a match: any number of
   * any characters.
   */
  readonly takes: readonly bigint[];
  /** By position: the positions that may follow. */
  readonly next: readonly (readonly number[])[];
  /** By position: has the expression matched after it, whatever follows? */
  readonly matches: readonly boolean[];
  /** By position: the number of places in which a count around it may end, if counts are treated as repeats. */
  readonly limits: ReadonlyMap<number, number>;
}

/**
 * How a count such as `a{0,50}` is treated. For the growth of time, it is nothing: fifty steps for any text length.
 * For the cost of one text, it is a repeat that ends in fifty-one places: four in a row have millions of ways, and
 * thirty of `a?` a thousand million.
 */
export type Counts = "nothing" | "repeats";

/** An expression that is too large to analyse in a moment. */
export class TooLarge extends Error {}
const MOST_POSITIONS = 2_000;
const MOST_LINKS = 50_000;

/** A higher maximum is treated as unlimited. */
const BOUND = 100;
/** A counted piece is copied at most this often: more copies do not change which positions can follow each other. */
const COPIES = 3;

interface Fragment {
  readonly first: readonly number[];
  readonly last: readonly { readonly position: number; readonly sure: boolean }[];
  /** Can it match the empty text? `if`: only if an assertion holds. */
  readonly empty: false | "if" | "sure";
}

const NOTHING: Fragment = { first: [], last: [], empty: "sure" };
const LOOKED: Fragment = { first: [], last: [], empty: "if" };

export function buildAutomaton(
  { source, flags }: Pick<RegExp, "source" | "flags">,
  counts: Counts,
): Automaton {
  const mode = { unicode: flags.includes("u"), unicodeSets: flags.includes("v") };
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, mode);
  const sets = CharacterSets.of(flags, listCodes(source));
  const builder = new Builder(sets, flags.includes("m"), counts);
  const whole = builder.alternatives(pattern.alternatives, true);
  for (const position of whole.first) builder.link(0, position);
  for (const { position, sure } of whole.last) if (sure) builder.matches[position] = true;
  return builder;
}

class Builder implements Automaton {
  readonly sets: CharacterSets;
  readonly takes: bigint[];
  readonly next: number[][] = [[0]];
  readonly matches: boolean[] = [false];
  readonly limits = new Map<number, number>();
  readonly #isMultiline: boolean;
  readonly #counts: Counts;
  #links = 0;

  constructor(sets: CharacterSets, isMultiline: boolean, counts: Counts) {
    this.sets = sets;
    this.takes = [sets.all];
    this.#isMultiline = isMultiline;
    this.#counts = counts;
  }

  link(from: number, to: number): void {
    if (++this.#links > MOST_LINKS) throw new TooLarge();
    this.next[from]?.push(to);
  }

  alternatives(alternatives: readonly AST.Alternative[], leads: boolean): Fragment {
    const all = alternatives.map(({ elements }) => this.#sequence(elements, leads));
    const empty = all.some((each) => each.empty === "sure") ? "sure" : all.some((each) => each.empty) && "if";
    return { first: all.flatMap(({ first }) => first), last: all.flatMap(({ last }) => last), empty };
  }

  #sequence(elements: readonly AST.Element[], leads: boolean): Fragment {
    const [element, ...rest] = elements;
    if (element === undefined) return NOTHING;
    if (leads && element.type === "Assertion") return this.#lead(element, rest);
    let whole = this.#element(element, leads);
    for (const each of rest) whole = this.#join(whole, this.#element(each, false));
    return whole;
  }

  /** An assertion at the start says which character must come before a match: one that the search has passed. */
  #lead(assertion: AST.Assertion, rest: readonly AST.Element[]): Fragment {
    const inner = this.#sequence(rest, true);
    const before = this.#before(assertion, inner);
    return before ? this.#join(before, inner) : this.#join(this.#assertion(assertion), inner);
  }

  #before(assertion: AST.Assertion, inner: Fragment): Fragment | undefined {
    if (assertion.kind === "start")
      return this.#position(this.#isMultiline ? this.sets.of("[\\n\\r\\u2028\\u2029]") : 0n);
    if (assertion.kind === "word") {
      const word = this.sets.of("\\w");
      const areWords = inner.first.every((position) => ((this.takes[position] ?? 0n) & ~word) === 0n);
      return !assertion.negate && !inner.empty && areWords
        ? this.#position(this.sets.all & ~word)
        : undefined;
    }
    if (assertion.kind !== "lookbehind") return undefined;
    if (!assertion.negate) return this.alternatives(assertion.alternatives, true);
    const singles = assertion.alternatives.map(({ elements }) => elements);
    if (!singles.every(([only, ...more]) => only && isPiece(only) && more.length === 0)) return undefined;
    const refused = singles.flat().reduce((set, { raw }) => set | this.sets.of(raw), 0n);
    return this.#position(this.sets.all & ~refused);
  }

  #element(element: AST.Element, leads: boolean): Fragment {
    switch (element.type) {
      case "Group":
      case "CapturingGroup":
        return this.alternatives(element.alternatives, leads);
      case "Quantifier":
        return this.#repeat(element, leads);
      case "Assertion":
        return this.#assertion(element);
      case "Backreference":
        return [element.resolved]
          .flat()
          .reduce<Fragment>(
            (found, group) => either(found, this.alternatives(group.alternatives, false)),
            LOOKED,
          );
      default:
        return this.#position(this.sets.of(element.raw));
    }
  }

  /** The inside of a lookaround leads nowhere: nothing follows its positions. */
  #assertion(assertion: AST.Assertion): Fragment {
    if (!("alternatives" in assertion)) return LOOKED;
    return { ...LOOKED, first: this.alternatives(assertion.alternatives, false).first };
  }

  #repeat({ element, min, max }: AST.Quantifier, leads: boolean): Fragment {
    if (max === 0) return NOTHING;
    const isCounted = max <= COPIES || (max <= BOUND && isFixed(element));
    if (this.#counts === "repeats" && isCounted && min < max && isFixed(element))
      return this.#repeatWithin(element, min, max);
    const begin = this.takes.length;
    const count = Math.max(1, Math.min(isCounted ? max : min, COPIES));
    const copies = Array.from({ length: count }, (_, i) =>
      this.#element(element, leads && i === 0 && min > 0),
    );
    // `a{1,3}` is `a(?:a(?:a)?)?`, so that there is only one way to match two.
    const whole = copies.reduceRight((rest, copy, i) =>
      this.#join(copy, i + 1 < min ? rest : optional(rest)),
    );
    if (!isCounted) this.#loop(whole);
    if (!isCounted) for (let i = begin; i < this.takes.length; i++) this.limits.delete(i);
    return min === 0 ? optional(whole) : whole;
  }

  #repeatWithin(element: AST.QuantifiableElement, min: number, max: number): Fragment {
    const begin = this.takes.length;
    const whole = this.#element(element, false);
    this.#loop(whole);
    for (let i = begin; i < this.takes.length; i++) this.limits.set(i, max - min + 1);
    return min === 0 ? optional(whole) : whole;
  }

  #loop({ first, last }: Fragment): void {
    for (const { position } of last) for (const to of first) this.link(position, to);
  }

  #join(before: Fragment, after: Fragment): Fragment {
    for (const { position } of before.last) for (const to of after.first) this.link(position, to);
    const passed = before.last.map(({ position, sure }) => ({
      position,
      sure: sure && after.empty === "sure",
    }));
    return {
      first: before.empty ? [...before.first, ...after.first] : before.first,
      last: after.empty ? [...passed, ...after.last] : after.last,
      empty: before.empty && after.empty && (before.empty === "sure" ? after.empty : "if"),
    };
  }

  #position(takes: bigint): Fragment {
    if (this.takes.length > MOST_POSITIONS) throw new TooLarge();
    const position = this.takes.push(takes) - 1;
    this.next.push([]);
    this.matches.push(false);
    return { first: [position], last: [{ position, sure: true }], empty: false };
  }
}

function optional(fragment: Fragment): Fragment {
  return { ...fragment, empty: "sure" };
}

function either(a: Fragment, b: Fragment): Fragment {
  return { first: [...a.first, ...b.first], last: [...a.last, ...b.last], empty: a.empty || b.empty };
}

function isPiece({ type }: AST.Element): boolean {
  return type === "Character" || type === "CharacterSet" || type === "CharacterClass";
}

/**
 * Does it always match the same number of characters? Then a counted repeat of it matches a text in only one way.
 */
function isFixed(element: AST.Element): boolean {
  if (element.type === "Quantifier") return element.min === element.max && isFixed(element.element);
  if (element.type === "Backreference") return false;
  if (!("alternatives" in element)) return true;
  const [only, ...more] = element.alternatives;
  return only !== undefined && more.length === 0 && only.elements.every(isFixed);
}

/** The codes of the characters written in an expression, and of those it escapes: `\x41`, `\u{1F600}`. */
function listCodes(source: string): readonly number[] {
  const escaped = source.matchAll(/\\(?:x|u\{?)([0-9a-f]{2,6})/gi);
  return [
    ...[...source].map((c) => c.codePointAt(0) ?? 0),
    ...[...escaped].map(([, hex]) => Number.parseInt(hex ?? "", 16)),
  ];
}
