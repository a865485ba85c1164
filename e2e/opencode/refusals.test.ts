import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PartKey } from "../../src/transcript/part.ts";
import { listPartRefs } from "../../src/transcript/refs.ts";
import { as, ask, bash, info, prune, read, recall, refOf, resultOf, source, tagOf, thought } from "./ask.ts";
import { openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* Changes that the agent may not make to its context, or not yet, each with the whole answer. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({
    files: {
      ...Object.fromEntries(["a", "b", "e"].map((name) => [`src/${name}.ts`, source(name)])),
      ".env": source("secret"),
      ".opencode/coppice.jsonc": `{ "schedule": { "mode": "eager" }, "strategies": { "spent": { "enabled": false }, "aggressivePruning": { "pruneLineNumbers": false } } }`,
    },
  });
});

afterAll(() => stage.close());

/** A refusal, with the available alternatives. */
const refusal = (action: string, ...problems: readonly string[]) =>
  new RegExp(
    `^「 \\S+ ${action} ✗ 」- nothing changed\\n${problems.map((problem) => `- ${problem}\\n`).join("")}` +
      "Available: Tools\\(\\d+\\), Messages\\(\\d+\\), Reasoning\\(\\d+\\)$",
  );

const MALFORMED = (ref: string) =>
  `Invalid hash format "${ref}": a ref is exactly 6 lowercase hex digits, as in "a1b2c3"`;
const UNKNOWN =
  "unknown ref\\. Take refs from tags or context_info; results of calls made in this same step can be named from the next step on";

describe.each(WIRES)("refusals, over %s", (_, model) => {
  let talk: Talk;
  let refs: Record<"a" | "b", string>;
  const long = "export const a1 = 1; // value 1";
  const where = (file: string) => `message \\d+, read \\S+${file}\\.ts \\([0-9a-f]{6}\\)`;

  beforeAll(async () => {
    talk = await stage.talk();
    await talk.say(
      "Look.",
      [
        { calls: [as("a", read("src/a.ts")), as("b", read("src/b.ts")), as("env", read(".env"))] },
        { calls: [as("twice", bash("cat src/e.ts src/e.ts"))] },
        { text: "Seen." },
      ],
      { model },
    );
    refs = { a: refOf(talk.steps.at(-1), "a"), b: refOf(talk.steps.at(-1), "b") };
    await ask(talk, () => prune("discard", [[refs.b]]), model);
  });

  const cases: readonly (readonly [string, () => ReturnType<typeof prune>, () => RegExp])[] = [
    [
      "no targets",
      () => prune("discard", []),
      () => refusal("discard", 'No targets provided: give targets as \\[\\["a1b2c3"\\], …\\]'),
    ],
    [
      "a ref that is too short",
      () => prune("discard", [["abc"]]),
      () => refusal("discard", MALFORMED("abc")),
    ],
    [
      "capital letters",
      () => prune("distill", [["ABC123", "x"]]),
      () => refusal("distill", MALFORMED("ABC123")),
    ],
    ["letters beyond f", () => prune("restore", [["zzzzzz"]]), () => refusal("restore", MALFORMED("zzzzzz"))],
    ["an unknown ref", () => prune("discard", [["000000"]]), () => refusal("discard", `000000: ${UNKNOWN}`)],
    [
      "an unknown ref to restore",
      () => prune("restore", [["000000"]]),
      () => refusal("restore", "000000: unknown ref\\. The answers to your cuts contain their refs"),
    ],
    [
      "a part that is cut already",
      () => prune("discard", [[refs.b]]),
      () => refusal("discard", `${refs.b}: already pruned \\(\\d+ steps? ago\\)`),
    ],
    [
      "a missing summary",
      () => prune("distill", [[refs.a]]),
      () =>
        refusal(
          "distill",
          `${refs.a}: missing summary: a distill target is \\["a1b2c3", "summary"\\]; or use discard`,
        ),
    ],
    [
      "a summary that is longer than the part",
      () => prune("distill", [[refs.a, "very long ".repeat(1_000)]]),
      () =>
        refusal(
          "distill",
          `${refs.a}: the summary \\([\\d,]+ tokens\\) is no shorter than the part \\([\\d,]+\\): write a shorter one`,
        ),
    ],
    [
      "an unknown action",
      () => prune("burn", [[refs.a]]),
      () =>
        /^Nothing changed\n- Unknown action "burn": use discard, distill, replace, restore\nAvailable: Tools/,
    ],
    [
      "a target that is none",
      () => prune("discard", [{}]),
      () => refusal("discard", '\\{\\}: give each target as \\["a1b2c3"\\]'),
    ],
    [
      "half an operation",
      () => prune("replace", [["only a start, nothing else"]]),
      () =>
        refusal(
          "replace",
          'Operation 1: give it as \\["start", "end", "replacement"\\], start and end not empty',
        ),
    ],
    [
      "a pattern that is nowhere",
      () => prune("replace", [["no such text at all", "nor this one here", "x"]]),
      () => refusal("replace", 'Operation 1: Pattern not found: start "no such text at all"'),
    ],
    [
      "a pattern that is nearly there",
      () => prune("replace", [["export  const A7 = 7 // value 7", "value 9 of a", "x"]]),
      () =>
        refusal(
          "replace",
          'Operation 1: Pattern not found: start "export {2}const A7 = 7 // value 7"' +
            `(?:\\n {2}similar: "[^\\n]*value 7 [^\\n]*" in message \\d+, [^\\n]*, line \\d+){1,3}`,
        ),
    ],
    [
      "an end before its start",
      () => prune("replace", [["export const a9 = 9;", "export const a1 = 1;", "x"]]),
      () =>
        refusal(
          "replace",
          'Operation 1: Pattern not found: end "export const a1 = 1;" does not follow start "export const a9 = 9;" in one part; ' +
            `start is in ${where("a")}, end in ${where("a")}`,
        ),
    ],
    [
      "a match that is too short",
      () => prune("replace", [["const a7 = 7; //", " value 7 of a", "x"]]),
      () => refusal("replace", "Operation 1: Match too short: 29 characters, minimum 30 characters"),
    ],
    [
      "patterns that are too short",
      () => prune("replace", [["a1 = 1", "of a", "x"]]),
      () =>
        refusal(
          "replace",
          'Operation 1: start or end must be longer than 15 characters: "a1 = 1" has 6, "of a" has 4',
        ),
    ],
    [
      "a pattern that is there twice",
      () => prune("replace", [["export const e7 = 7; //", "value 9 of e", "x"]]),
      () =>
        refusal(
          "replace",
          "Operation 1: 2 matches, give a longer start or end that fits once:" +
            '(?:\\n {2}message \\d+, bash cat src/e\\.ts src/e\\.ts \\([0-9a-f]{6}\\), line \\d+: "[^\\n]*export const e7 = 7;[^\\n]*"){2}',
        ),
    ],
    [
      "operations that overlap",
      () =>
        prune("replace", [
          [long, "value 9 of a", "x"],
          ["export const a5 = 5; // value 5", "value 12 of a", "y"],
        ]),
      () => refusal("replace", `Operations 1 and 2 are overlapping in ${where("a")}: join them into one`),
    ],
    [
      "a replacement that is longer",
      () => prune("replace", [[long, "value 2 of a", "very long ".repeat(50)]]),
      () =>
        refusal(
          "replace",
          "Operation 1: the replacement \\([\\d,]+ tokens\\) is not shorter than the match \\([\\d,]+ tokens\\)",
        ),
    ],
    [
      "one operation of several",
      () =>
        prune("replace", [
          [long, "value 9 of a", "x"],
          ["no such text at all", "nor this one", "y"],
        ]),
      () => refusal("replace", 'Operation 2: Pattern not found: start "no such text at all"'),
    ],
    [
      "a protected file",
      () => prune("replace", [["export const secret1 = 1;", "value 9 of secret", "x"]]),
      () =>
        refusal(
          "replace",
          "Operation 1: Pattern not found where it may be cut: the file \\S+/\\.env is protected \\(message \\d+, read [^\\n]*, line \\d+\\)",
        ),
    ],
    [
      "a restore of what is whole",
      () => prune("restore", [[refs.a]]),
      () => refusal("restore", `${refs.a}: not cut now: there is nothing to restore`),
    ],
    ["to recall what is no ref", () => recall("ABC"), () => new RegExp(`^${MALFORMED("ABC")}\\.$`)],
    [
      "to recall what is unknown",
      () => recall("000000"),
      () =>
        /^000000 is unknown\. Take refs from placeholders such as \[discarded: bash npm test · a1b2c3\], or from context_info\.$/,
    ],
    [
      "to recall what is whole",
      () => recall(refs.a),
      () => /^[0-9a-f]{6} \(read \S+a\.ts\) is not cut: it is in the context unchanged\.$/,
    ],
    [
      "to recall lines that are none",
      () => recall(refs.b, { lines: "ten" }),
      () => /^Invalid lines "ten": give a range such as "10-40"\.$/,
    ],
  ];

  it.each(cases)("%s", async (_, make, expected) => {
    const answer = await ask(talk, make, model);
    expect(answer).toMatch(expected());
    expect(resultOf(talk.steps.at(-1), "a")).toContain("value 59 of a");
  });

  it("offers no ref for a protected file", async () => {
    expect(() => refOf(talk.steps.at(-1), "env")).toThrow("no ref");
    expect(await ask(talk, () => info(), model)).not.toContain(".env");
  });

  it("results of the same step are not targets yet, even by their own ref", async () => {
    const command = bash("seq 1 432");
    await talk.say("Run.", [{ calls: [as("before", command)] }, { text: "Done." }], { model });
    const ref = listPartRefs("result:same#1" as PartKey)[0] ?? "";
    const calls = [as("same", command), as("tooSoon", prune("discard", [[ref]]))];
    await talk.say("At once.", [{ calls }, { text: "Done." }], { model });
    expect(resultOf(talk.steps.at(-1), "tooSoon")).toMatch(refusal("discard", `${ref}: ${UNKNOWN}`));
    expect(resultOf(talk.steps.at(-1), "same")).toContain("431\n432");
    expect(refOf(talk.steps.at(-1), "same")).toBe(ref);
  });

  it("tags that the model repeats are not stored", async () => {
    await talk.say("Echo.", [{ text: `As seen in <tool_hash>${refs.a}</tool_hash> it is fine.` }], { model });
    const last = (await talk.messages()).at(-1);
    const text = last?.parts.find(({ type }) => type === "text")?.text;
    expect(text).toContain("it is fine.");
    expect(text).not.toContain("_hash>");
  });
});

it("signed reasoning stays within the loop, and is dropped in a later turn", async () => {
  const talk = await stage.talk();
  const model = "claude/claude-sonnet-4-5";
  let ref = "";
  await talk.say(
    "Look.",
    [
      { reasoning: thought("a"), calls: [as("a", read("src/a.ts"))] },
      (request) => {
        ref = tagOf(request, "reasoning");
        return { reasoning: thought("b"), calls: [as("cut", prune("discard", [[ref]]))] };
      },
      { text: "Seen." },
    ],
    { model },
  );
  expect(resultOf(talk.steps.at(-1), "cut")).toMatch(
    refusal(
      "discard",
      `${ref}: signed reasoning inside the current tool loop stays: discard it in a later turn`,
    ),
  );
  expect(talk.steps.at(-1)?.raw).toContain("End of a.");
  expect(await ask(talk, () => prune("discard", [[ref]]), model)).toMatch(/^「 🗑️ discard ✓ 」- 🧠 1\n/);
  expect(talk.steps.at(-1)?.raw).not.toContain("End of a.");
  expect(talk.steps.at(-1)?.raw).toContain("End of b.");
});

describe("a cut that costs much", () => {
  it("waits, and the answer says so; it is cut with the next cut that reaches it", async () => {
    const settings = { schedule: { requestedLimit: 100 }, strategies: { spent: { enabled: false } } };
    const folder = stage.host.addProject("dear", {
      ".opencode/coppice.jsonc": JSON.stringify(settings),
      "a.ts": source("a"),
      "b.ts": source("b", 400),
    });
    const talk = await stage.talk(folder);
    await talk.say("Look.", [
      { calls: [as("a", read("a.ts"))] },
      { calls: [as("b", read("b.ts"))] },
      (request) => ({ calls: [as("cut", prune("discard", [[refOf(request, "a")]]))] }),
      (request) => ({ calls: [as("again", prune("distill", [[refOf(request, "a"), "x"]]))] }),
      { text: "Seen." },
    ]);
    const [answered, last] = talk.steps.slice(-2);
    expect(resultOf(answered, "cut")).toMatch(
      /^Saved: [\d,]+ tokens, with the next cut that reaches it \(rewriting the cache now would cost [\d,]+ tokens\)\.$/m,
    );
    const ref = refOf(last, "a");
    expect(resultOf(last, "again")).toMatch(
      refusal("distill", `${ref}: already pruned: it waits for a cut that reaches it`),
    );
    expect(resultOf(last, "a")).toContain("value 59 of a");
    // another model has nothing in its cache
    await talk.say("Go on.", [{ text: "Going on." }], { model: "other" });
    expect(resultOf(talk.steps.at(-1), "a")).toMatch(/^\[discarded: read \S+a\.ts · [0-9a-f]{6}\]$/);
  });
});
