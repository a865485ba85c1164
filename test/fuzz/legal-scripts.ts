import fc from "fast-check";
import { numbered, type Script } from "../generate.ts";

type Step = Script["turns"][number]["steps"][number];
type Call = Step["calls"][number];

/**
 * Sessions that every provider accepts unchanged: each turn is a tool loop that ends with an answer, no id is used
 * twice, and nothing is empty except results.
 */
export function legalScripts(reasoning: "none" | "plain" | "signed"): fc.Arbitrary<Script> {
  const turn = fc.record({
    prompt: words,
    image: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    loop: fc.array(fc.record({ said: fc.option(words), thinks: fc.boolean(), calls, pause }), {
      minLength: 1,
      maxLength: 7,
    }),
    answer: words,
    thinks: fc.boolean(),
  });
  return fc.array(turn, { minLength: 1, maxLength: 4 }).map((turns) => {
    let ids = 0;
    let thoughts = 0;
    const think = (thinks: boolean): Step["thinking"] =>
      reasoning === "none" || !(thinks || reasoning === "signed")
        ? undefined
        : { text: `Thought ${thoughts++}.`, signed: reasoning === "signed" };
    const last = turns.at(-1);
    return {
      turns: turns.map(({ prompt, image, loop, answer, thinks }, i) => {
        const steps = loop.map(({ said, thinks, calls, pause }) => ({
          text: said ?? undefined,
          thinking: think(thinks),
          unknown: false,
          calls: calls.map((each) => ({ ...each, id: ids++ })),
          pause,
        }));
        const end = { text: answer, thinking: think(thinks), unknown: false, calls: [], pause: 20_000 };
        // The last turn continues.
        return { prompt, image, steps: last && i === turns.length - 1 ? steps : [...steps, end] };
      }),
    };
  });
}

const words = fc.constantFrom(
  "Look at the rates, then go on.",
  "applyDiscount in src/a.ts takes the wrong rate.",
  `This is what I have:\n\`\`\`\n${numbered(30)}\n\`\`\``,
  "Now the tests.",
);
const path = fc.constantFrom("src/a.ts", "src/b.ts", "docs/c.md");
const pause = fc.constantFrom(20_000, 20_000, 400_000);
const output = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 20, max: 150 }).map((lines) => numbered(lines)) },
  {
    weight: 2,
    arbitrary: fc.constantFrom("ok", "", "TypeError: rate is undefined\n  at applyDiscount (src/a.ts:3:1)"),
  },
);
const use = fc.oneof(
  fc.record({ tool: fc.constant("read"), input: fc.record({ filePath: path }) }),
  fc.record({
    tool: fc.constant("bash"),
    input: fc.record({ command: fc.constantFrom("npm test", "git status", "make") }),
  }),
  fc.record({
    tool: fc.constant("edit"),
    input: fc.record({
      filePath: path,
      oldString: fc.constant("rate"),
      newString: fc.constant(numbered(40)),
    }),
  }),
  fc.record({
    tool: fc.constant("todowrite"),
    input: fc.constant({ todos: [{ content: "Fix it", status: "in_progress" }] }),
  }),
);
const calls: fc.Arbitrary<readonly Call[]> = fc.array(
  fc
    .record({ use, output, split: fc.boolean(), failed: fc.integer({ min: 0, max: 5 }).map((n) => n === 0) })
    .map(({ use, ...rest }) => ({ id: 0, ...use, ...rest })),
  { minLength: 1, maxLength: 3 },
);
