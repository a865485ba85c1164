import { type Automaton, buildAutomaton, type Counts, TooLarge } from "./position-automaton.ts";

/** How the time of an expression grows with the text. */
export interface Growth {
  /** 1: linear in its length; 2: quadratic; `Infinity`: exponential, or the expression is too large to analyse. */
  readonly degree: number;
  /**
   * The strings that slow texts repeat: one for each degree above the first, empty if no text is known to be slow.
   */
  readonly pumps: readonly string[];
}

/**
 * The growth of the worst case for a backtracking engine, such as JavaScript's: it depends on the number of ways to
 * match one text. If one repeat can hand over to another at any point of a text that both match, there is a way for
 * each character. If one repeat can match a text in two ways, the ways multiply with every round.
 *
 *   ^\s*x$       ->  1
 *   \s+$         ->  2: it starts again at every blank of a run
 *   ^\d*\d*x     ->  2
 *   ^(?:a|a)*x   ->  Infinity
 */
export function growthOf({ source, flags }: Pick<RegExp, "source" | "flags">): Growth {
  const { degree, handovers } = look({ source, flags }, "nothing");
  return { degree, pumps: handovers.map(({ pump }) => pump) };
}

/** The cost of an expression on a text of this length, in steps. A count multiplies them too: `a{0,50}`, `a?`. */
export function worstSteps(expression: Pick<RegExp, "source" | "flags">, length: number): number {
  return countSteps(look(expression, "repeats"), length);
}

/** Repeats that each hand over to the next. */
interface Chain {
  readonly degree: number;
  readonly handovers: readonly Handover[];
}

interface Handover {
  /** The string that a slow text repeats. */
  readonly pump: string;
  /** The most places in which the next repeat may end. */
  readonly limit: number;
}

const LINEAR: Chain = { degree: 1, handovers: [] };

/** The syntax that an expression needs before it is analysed; `(?:` is not a repeat. */
const REPEATS: Readonly<Record<Counts, RegExp>> = { nothing: /[*+{]/, repeats: /[*+{]|(?<!\()\?/ };

function look({ source, flags }: Pick<RegExp, "source" | "flags">, counts: Counts): Chain {
  if (!REPEATS[counts].test(source)) return LINEAR;
  const key = `${counts}/${flags}/${source}`;
  const chain = MEASURED.get(key) ?? measure({ source, flags }, counts);
  if (MEASURED.size >= MOST_MEASURED) MEASURED.clear();
  MEASURED.set(key, chain);
  return chain;
}

/** A configuration is checked, checked again without its mistakes, and then used. */
const MEASURED = new Map<string, Chain>();
const MOST_MEASURED = 1_000;

function measure(expression: Pick<RegExp, "source" | "flags">, counts: Counts): Chain {
  try {
    const automaton = buildAutomaton(expression, counts);
    const work = new Work();
    const loops = findLoops(automaton);
    const twofold = loops
      .map((loop) => findTwoWays(automaton, loop, work))
      .find((pump) => pump !== undefined);
    if (twofold !== undefined)
      return {
        degree: Number.POSITIVE_INFINITY,
        handovers: [{ pump: twofold, limit: Number.POSITIVE_INFINITY }],
      };
    return countHandovers(automaton, loops, work);
  } catch (error) {
    if (error instanceof TooLarge) return { degree: Number.POSITIVE_INFINITY, handovers: [] };
    throw error;
  }
}

function countSteps({ degree, handovers }: Chain, length: number): number {
  if (degree === Number.POSITIVE_INFINITY) return degree;
  return handovers.reduce(
    (steps, { pump, limit }, i) => steps * Math.min(length / pump.length / (i + 2), limit),
    length,
  );
}

/** Counts the analysed ways. */
class Work {
  #done = 0;

  add(): void {
    if (++this.#done > MOST_WORK) throw new TooLarge();
  }
}

const MOST_WORK = 1_000_000;

type Loop = ReadonlySet<number>;

/** The sets of positions that lead to each other, or to themselves. Positions that end a match are left out. */
function findLoops({ next, takes, matches }: Automaton): readonly Loop[] {
  const passes = (position: number) => !matches[position] && takes[position] !== 0n;
  const onward = next.map((following) => following.filter(passes));
  const backward = next.map((): number[] => []);
  for (const [from, following] of onward.entries()) for (const to of following) backward[to]?.push(from);
  const loops: Loop[] = [];
  const seen = new Set<number>();
  for (const position of next.keys()) {
    if (!passes(position) || seen.has(position)) continue;
    const reached = walk(position, (at) => onward[at] ?? []);
    if (!reached.has(position)) continue;
    const reaching = walk(position, (at) => backward[at] ?? []);
    const loop = new Set([...reached].filter((each) => reaching.has(each)));
    for (const each of loop) seen.add(each);
    loops.push(loop);
  }
  return loops;
}

/** Everything that one or more steps from here can reach. */
function walk<T>(from: T, next: (at: T) => Iterable<T>): ReadonlySet<T> {
  const reached = new Set<T>();
  const open = [from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const to of next(at)) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}

/** A character that can be matched in two ways on one round of the loop, if there is one. */
function findTwoWays({ sets, takes, next }: Automaton, loop: Loop, work: Work): string | undefined {
  const inside = new Map([...loop].map((at) => [at, (next[at] ?? []).filter((to) => loop.has(to))]));
  const shared = (a: number, b: number) => (takes[a] ?? 0n) & (takes[b] ?? 0n);
  for (const following of inside.values()) {
    const once = new Set<number>();
    for (const to of following) if (once.size === once.add(to).size) return sets.sampleOf(shared(to, to));
  }
  /** The positions of both ways, as one number. */
  const pairOf = (a: number, b: number) => a * takes.length + b;
  const partsOf = (pair: number) => [Math.floor(pair / takes.length), pair % takes.length] as const;
  const before = new Map<number, number[]>();
  const onward = (pair: number) => {
    const [a, b] = partsOf(pair);
    const found: number[] = [];
    for (const nextA of inside.get(a) ?? []) {
      for (const nextB of inside.get(b) ?? []) {
        work.add();
        if (shared(nextA, nextB) === 0n) continue;
        const to = pairOf(nextA, nextB);
        const known = before.get(to);
        if (known) known.push(pair);
        else before.set(to, [pair]);
        found.push(to);
      }
    }
    return found;
  };
  // All positions of a loop lead to each other, so the position at which the two ways split and join does not
  // matter.
  const [start = 0] = loop;
  const together = pairOf(start, start);
  const parted = walk(together, onward);
  const meeting = walk(together, (pair) => before.get(pair) ?? []);
  for (const pair of parted) {
    const [a, b] = partsOf(pair);
    if (a !== b && meeting.has(pair)) return sets.sampleOf(shared(a, b));
  }
  return undefined;
}

/**
 * The most expensive chain of loops in which each can hand over to the next in the middle of a text that both
 * match.
 */
function countHandovers(automaton: Automaton, loops: readonly Loop[], work: Work): Chain {
  const known = new Map<Loop, Chain>();
  const measure = (from: Loop): Chain => {
    const before = known.get(from);
    if (before) return before;
    // Loops with a match between them may lead to each other. Set first, so that no loop counts twice.
    known.set(from, LINEAR);
    const [start = 0] = from;
    const reached = walk(start, (at) => automaton.next[at] ?? []);
    const handed = loops.flatMap((to): readonly Chain[] => {
      const [position = 0] = to;
      if (to === from || !reached.has(position)) return [];
      const after = measure(to);
      const pump = findHandover(automaton, { from, to }, work);
      if (pump === undefined) return [after];
      const limit = automaton.limits.get(position) ?? Number.POSITIVE_INFINITY;
      return [{ degree: after.degree + 1, handovers: [{ pump, limit }, ...after.handovers] }];
    });
    const worst = findWorst(handed);
    known.set(from, worst);
    return worst;
  };
  return findWorst(loops.map(measure));
}

/** The text length at which degrees are compared to find the most expensive chain. */
const LONG = 1_000;

function findWorst(growths: readonly Chain[]): Chain {
  return growths.reduce((a, b) => (countSteps(b, LONG) > countSteps(a, LONG) ? b : a), LINEAR);
}

/** Three ways at once: round the first loop, from it to the second, and round the second. */
interface Trio {
  readonly stays: number;
  readonly moves: number;
  readonly waits: number;
  /** The characters that led here, and the previous trio. */
  readonly taken: bigint;
  readonly before?: Trio;
}

/** The shortest text that leads round the first loop, round the second, and from the first to the second. */
function findHandover(
  automaton: Automaton,
  { from, to }: { readonly from: Loop; readonly to: Loop },
  work: Work,
): string | undefined {
  for (const stays of from) {
    for (const waits of to) {
      const seen = new Set<string>();
      let open: readonly Trio[] = [{ stays, moves: stays, waits, taken: 0n }];
      while (open.length > 0) {
        const found: Trio[] = [];
        for (const trio of open) {
          for (const each of listSteps(automaton, trio, work)) {
            const key = `${each.stays} ${each.moves} ${each.waits}`;
            if (seen.has(key) || !from.has(each.stays) || !to.has(each.waits)) continue;
            seen.add(key);
            if (each.stays === stays && each.moves === waits && each.waits === waits)
              return spell(automaton, each);
            found.push(each);
          }
        }
        open = found;
      }
    }
  }
  return undefined;
}

function spell({ sets }: Automaton, end: Trio): string {
  let text = "";
  for (let at = end; at.before; at = at.before) text = sets.sampleOf(at.taken) + text;
  return text;
}

function* listSteps({ takes, next }: Automaton, trio: Trio, work: Work): Generator<Trio> {
  for (const stays of next[trio.stays] ?? []) {
    for (const waits of next[trio.waits] ?? []) {
      const both = (takes[stays] ?? 0n) & (takes[waits] ?? 0n);
      if (both === 0n) continue;
      for (const moves of next[trio.moves] ?? []) {
        work.add();
        const taken = both & (takes[moves] ?? 0n);
        if (taken !== 0n) yield { stays, moves, waits, taken, before: trio };
      }
    }
  }
}
