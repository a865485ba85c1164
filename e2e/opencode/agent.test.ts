import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { as, bash, info, prune, read, recall, refOf, resultOf, source, tagOf } from "./ask.ts";
import { textOf, type WireRequest } from "./model.ts";
import { type Line, openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* What the agent may do with its context, over both wires and under each rule for reasoning. */

let stage: Stage;

beforeAll(async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  stage = await openStage({
    files: {
      ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, source(name)])),
      ".env": source("secret"),
      // cuts are made at once and nobody else cuts, so that each can be seen
      ".opencode/coppice.jsonc": `{ "schedule": { "mode": "eager" }, "strategies": { "spent": { "enabled": false } } }`,
    },
  });
});

afterAll(() => stage.close());

const thought = (about: string): string =>
  `${`I think about ${about} for quite a while. `.repeat(60)}End of ${about}.`;
const said = (about: string): string =>
  `${`Here is what I found about ${about}. `.repeat(60)}That was ${about}.`;

/** Asks for cuts, and gives the answer to that call. */
async function ask(talk: Talk, make: (request: WireRequest) => ReturnType<typeof prune>, model: string) {
  const id = `ask${talk.steps.length}`;
  const line: Line = (request) => ({ calls: [as(id, make(request))] });
  await talk.say("Tidy up.", [line, { text: "Done." }], { model });
  return resultOf(talk.steps.at(-1), id);
}

const models = [
  { model: "m", rule: "a field that has to be there" },
  { model: "plain", rule: "none" },
  { model: "claude/claude-sonnet-4-5", rule: "signed" },
] as const;

describe.each(models)("with $model, reasoning: $rule", ({ model }) => {
  let talk: Talk;
  /** The refs of the first step's text and reasoning. */
  let first: { readonly message: string; readonly reasoning: string };
  const now = () => talk.steps.at(-1);

  beforeAll(async () => {
    talk = await stage.talk();
    await talk.say(
      "Look around.",
      [
        {
          reasoning: thought("a"),
          text: said("a"),
          calls: [as("a", read("src/a.ts")), as("b", read("src/b.ts"))],
        },
        { reasoning: thought("c"), calls: [as("c", read("src/c.ts"))] },
        { reasoning: thought("d"), calls: [as("d", read("src/d.ts")), as("env", read(".env"))] },
        { text: "Seen." },
      ],
      { model },
    );
    first = { message: tagOf(now(), "message"), reasoning: tagOf(now(), "reasoning") };
  });

  it("discards several at once, and says what it did", async () => {
    const answer = await ask(
      talk,
      (request) => prune("discard", [[refOf(request, "a")], [refOf(request, "b")]]),
      model,
    );
    expect(answer).toContain("「 🗑️ discard ✓ 」- ⚙️ read");
    expect(answer).toMatch(/Saved: [\d,]+ tokens/);
    expect(answer).toMatch(/Available: Tools\(\d+\), Messages\(\d+\), Reasoning\(\d+\)/);
    for (const [id, file] of [
      ["a", "a.ts"],
      ["b", "b.ts"],
    ] as const) {
      expect(resultOf(now(), id)).toContain(file);
      expect(resultOf(now(), id)).not.toContain(`value 5 of ${id}`);
    }
  });

  it("distills: the summary stands there, also after the call itself is superseded", async () => {
    await ask(
      talk,
      (request) => prune("distill", [[refOf(request, "c"), "c.ts has 60 constants, c0 to c59"]]),
      model,
    );
    expect(resultOf(now(), "c")).toContain("c.ts has 60 constants");
    expect(resultOf(now(), "c")).not.toContain("value 5 of c");
    await ask(talk, () => info(), model);
    await ask(talk, () => info(), model);
    expect(resultOf(now(), "c")).toContain("c.ts has 60 constants");
  });

  it("replaces a stretch of text, in both spellings", async () => {
    await ask(
      talk,
      () => prune("replace", [["3: export const d2 = 2;", "// value 20 of d", "(more constants)"]]),
      model,
    );
    expect(resultOf(now(), "d")).toContain("(more constants)");
    expect(resultOf(now(), "d")).not.toContain("value 10 of d");
    expect(resultOf(now(), "d")).toContain("value 21 of d");
    const operation = { start: "export const d30 = 30;", end: "// value 50 of d", replacement: "(and more)" };
    await ask(talk, () => prune("replace", [operation]), model);
    expect(resultOf(now(), "d")).toContain("(and more)");
    expect(resultOf(now(), "d")).not.toContain("value 40 of d");
  });

  it("restores its own cut", async () => {
    const cut = /[0-9a-f]{6}(?=\])/.exec(resultOf(now(), "a"))?.[0] ?? "";
    const answer = await ask(talk, () => prune("restore", [[cut]]), model);
    expect(answer).toContain("↩️ restore ✓");
    expect(resultOf(now(), "a")).toContain("value 59 of a");
  });

  it("recalls what was cut, whole, by lines and by search", async () => {
    const cut = /[0-9a-f]{6}(?=\])/.exec(resultOf(now(), "b"))?.[0] ?? "";
    expect(await ask(talk, () => recall(cut), model)).toContain("value 59 of b");
    const lines = await ask(talk, () => recall(cut, { lines: "5-6" }), model);
    expect(lines).toContain("value 1 of b");
    expect(lines).not.toContain("value 20 of b");
    expect(await ask(talk, () => recall(cut, { search: "value 33" }), model)).toContain("value 33 of b");
    expect(resultOf(now(), "b")).not.toContain("value 59 of b");
  });

  it("looks where the context stands", async () => {
    const answer = await ask(talk, () => info(), model);
    expect(answer).toMatch(/Context: [\d,]+ of 192,000 tokens/);
    expect(answer).toContain("Pressure light");
  });

  it("cuts texts and reasoning as the provider's rule allows", async () => {
    const answer = await ask(talk, () => prune("discard", [[first.message], [first.reasoning]]), model);
    const assistants = now()?.body.messages.filter(({ role }) => role === "assistant") ?? [];
    expect(assistants.map(textOf).join("\n")).not.toContain("That was a.");
    const cut = assistants[0];
    if (model === "m") {
      expect(answer).toContain("✨ distill ✓");
      expect(cut?.reasoning_content).toBe("—");
    } else expect(cut?.reasoning_content ?? "").not.toContain("I think about a");
  });

  it("does what it can of a mixed batch, and says what to do about the rest", async () => {
    const a = refOf(now(), "a");
    const answer = await ask(talk, () => prune("discard", [[a], ["zzzzzz"], ["ffffff"], [a]]), model);
    expect(answer).toContain("discard ✓");
    expect(answer).toContain("Invalid hash format");
    expect(answer).toContain("unknown ref");
    expect(resultOf(now(), "a")).not.toContain("value 59 of a");
  });
});

describe.each(WIRES)("refusals over %s", (_, model) => {
  let talk: Talk;
  let refs: Record<"a" | "b", string>;
  const long = "export const a1 = 1; // value 1";

  beforeAll(async () => {
    talk = await stage.talk(undefined, model);
    await talk.say("Look.", [
      { calls: [as("a", read("src/a.ts")), as("b", read("src/b.ts")), as("env", read(".env"))] },
      { calls: [as("twice", bash("cat src/e.ts src/e.ts"))] },
      { text: "Seen." },
    ]);
    refs = { a: refOf(talk.steps.at(-1), "a"), b: refOf(talk.steps.at(-1), "b") };
    await ask(talk, () => prune("discard", [[refs.b]]), model);
  });

  const cases: readonly (readonly [string, () => ReturnType<typeof prune>, RegExp])[] = [
    ["no targets", () => prune("discard", []), /No targets provided/],
    [
      "a ref that is too short",
      () => prune("discard", [["abc"]]),
      /Invalid hash format.*exactly 6 lowercase hex/s,
    ],
    ["capital letters", () => prune("discard", [["ABC123"]]), /Invalid hash format/],
    ["letters beyond f", () => prune("discard", [["zzzzzz"]]), /Invalid hash format/],
    ["an unknown ref", () => prune("discard", [["000000"]]), /unknown ref/],
    ["a part that is cut already", () => prune("discard", [[refs.b]]), /already pruned \(\d+ steps? ago\)/],
    ["a missing summary", () => prune("distill", [[refs.a]]), /missing summary/],
    ["an unknown action", () => prune("burn", [[refs.a]]), /action/i],
    [
      "a pattern that is nowhere",
      () => prune("replace", [["no such text at all", "nor this one here", "x"]]),
      /Pattern not found/,
    ],
    [
      "a match that is too short",
      () => prune("replace", [["const a7 = 7; //", " value 7 of a", "x"]]),
      /too short.*minimum 30/s,
    ],
    ["patterns that are too short", () => prune("replace", [["a1 = 1", "of a", "x"]]), /15 characters/],
    [
      "a pattern that is there twice",
      () => prune("replace", [["export const e7 = 7; //", "value 9 of e", "x"]]),
      /match/,
    ],
    [
      "operations that overlap",
      () =>
        prune("replace", [
          [long, "value 9 of a", "x"],
          ["export const a5 = 5; // value 5", "value 12 of a", "y"],
        ]),
      /overlap/,
    ],
    [
      "a replacement that is longer",
      () => prune("replace", [[long, "value 2 of a", "very long ".repeat(50)]]),
      /shorter|longer/,
    ],
    ["a restore of what is whole", () => prune("restore", [[refs.a]]), /nothing to take back/],
  ];

  it.each(cases)("%s", async (_, make, expected) => {
    const answer = await ask(talk, make, model);
    expect(answer).toMatch(expected);
    expect(resultOf(talk.steps.at(-1), "a")).toContain("value 59 of a");
  });

  it("offers no ref for a protected file, and names the protection", async () => {
    expect(() => refOf(talk.steps.at(-1), "env")).toThrow("no ref");
    const answer = await ask(talk, () => info(), model);
    expect(answer).not.toContain(".env");
  });

  it("does nothing of a batch of replacements if one fails", async () => {
    const answer = await ask(
      talk,
      () =>
        prune("replace", [
          [long, "value 9 of a", "x"],
          ["no such text at all", "nor this one", "y"],
        ]),
      model,
    );
    expect(answer).toContain("nothing changed");
    expect(resultOf(talk.steps.at(-1), "a")).toContain("value 5 of a");
  });

  it("results of the same step are no targets yet", async () => {
    await talk.say("At once.", [
      { calls: [as("same", read("src/f.ts")), as("tooSoon", prune("discard", [["123456"]]))] },
      { text: "Done." },
    ]);
    expect(resultOf(talk.steps.at(-1), "tooSoon")).toContain("from the next step on");
  });

  it("tags that the model repeats are not stored", async () => {
    await talk.say("Echo.", [{ text: `As seen in <tool_hash>${refs.a}</tool_hash> it is fine.` }]);
    const last = (await talk.messages()).at(-1);
    const text = last?.parts.find(({ type }) => type === "text")?.text;
    expect(text).toContain("it is fine.");
    expect(text).not.toContain("_hash>");
  });
});
