import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  as,
  ask,
  bash,
  info,
  prune,
  read,
  recall,
  refOf,
  resultOf,
  said,
  source,
  tagOf,
  thought,
} from "./ask.ts";
import { textOf } from "./model.ts";
import { type Line, openStage, type Stage, type Talk } from "./stage.ts";

/* The agent's options for its context, over both wires and under each rule for reasoning. */

let stage: Stage;

beforeAll(async () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  stage = await openStage({
    files: {
      ...Object.fromEntries(names.map((name) => [`src/${name}.ts`, source(name)])),
      ".env": source("secret"),
      // cuts are made at once and by nobody else, so that each is visible
      ".opencode/coppice.jsonc": `{ "schedule": { "mode": "eager" }, "strategies": { "spent": { "enabled": false } } }`,
    },
  });
});

afterAll(() => stage.close());

/** A tool as either wire has it. */
type OfferedTool = {
  readonly name?: string;
  readonly input_schema?: unknown;
  readonly function?: { readonly name: string; readonly parameters: unknown };
};

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

  it("is offered lists of lists of texts: several providers reject every request with tuples or alternatives", () => {
    const { tools } = JSON.parse(now()?.raw ?? "{}") as { tools: OfferedTool[] };
    const offered = tools.map(({ name, input_schema, function: own }) => ({
      name: own?.name ?? name,
      schema: own?.parameters ?? input_schema,
    }));
    const { schema } = offered.find(({ name }) => name === "context_prune") ?? {};
    expect(schema).toMatchObject({
      properties: {
        action: { type: "string", enum: ["discard", "distill", "replace", "restore"] },
        targets: { type: "array", items: { type: "array", items: { type: "string" } } },
      },
      required: ["action", "targets"],
    });
    const ours = JSON.stringify(offered.filter(({ name }) => name?.startsWith("context_")));
    expect(ours).not.toMatch(/anyOf|oneOf|prefixItems|additionalItems|"items":\[/);
  });

  it("discards several at once, and says so", async () => {
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

  it("distills: the summary is in place, even after the call itself is superseded", async () => {
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

  it("distills a result, a message and reasoning in one call, with one summary", async () => {
    const own = await stage.talk();
    const steps: readonly Line[] = [
      { reasoning: thought("e"), text: said("e"), calls: [as("e", read("src/e.ts"))] },
      { text: "Seen." },
    ];
    await own.say("Look.", steps, { model });
    const seen = own.steps.at(-1);
    const refs = [refOf(seen, "e"), tagOf(seen, "message"), tagOf(seen, "reasoning")];
    const answer = await ask(
      own,
      () =>
        prune(
          "distill",
          refs.map((ref) => [ref, "e is fine"]),
        ),
      model,
    );
    const last = own.steps.at(-1);
    const [spoken] = last?.body.messages.filter(({ role }) => role === "assistant") ?? [];
    expect(resultOf(last, "e")).toMatch(/^\[distilled: read \S+e\.ts · [0-9a-f]{6}\]\ne is fine$/);
    expect(textOf(spoken ?? { role: "assistant" })).toMatch(
      /^\[distilled: message "Here is[^·]*"\]\ne is fine$/,
    );
    if (model.startsWith("claude")) {
      expect(answer).toContain("「 ✨ distill ✓ 」- ⚙️ read · 💬 1\n");
      expect(answer).toContain(`- ${refs[2]}: signed reasoning can't be rewritten: discard it instead`);
      expect(spoken?.reasoning_content).toBe(thought("e"));
    } else {
      expect(answer).toContain("「 ✨ distill ✓ 」- ⚙️ read · 💬 1 · 🧠 1\n");
      expect(spoken?.reasoning_content ?? "").not.toContain("I think about e");
    }
    const listed = await ask(own, () => info(), model);
    expect(listed).toMatch(new RegExp(`^Cut outside results, .*: .*${refs[1]} message "Here is`, "m"));
  });

  it("replaces in earlier text too, and leaves a dash if nothing is left", async () => {
    const own = await stage.talk();
    const long = "This is what the user told at length, and nobody needs it any more.";
    await own.say(long, [{ text: said("f"), calls: [as("f", bash("seq 100 300"))] }, { text: "Seen." }], {
      model,
    });
    const answer = await ask(
      own,
      () =>
        prune("replace", [
          ["This is what the user told", "needs it any more.", "(a story)"],
          [
            "Here is what I found about f. Here is what I found about f. Here is what I found about f. That",
            "was f.",
            "",
          ],
          ["100\n101\n102\n103\n104", "298\n299\n300\n", ""],
        ]),
      model,
    );
    expect(answer).toMatch(/^「 ✂️ replace ✓ 」- ⚙️ bash · 💬 1 · 👤 1\nSaved: [\d,]+ tokens/);
    const last = own.steps.at(-1);
    expect(last?.body.messages.map(textOf).join("\n")).not.toContain(long);
    expect(last?.body.messages.map(textOf).join("\n")).toContain("(a story)");
    expect(resultOf(last, "f")).toMatch(/^—(?:\n<tool_hash>|$)/);
  });

  it("replaces a stretch of text, in both spellings", async () => {
    await ask(
      talk,
      () => prune("replace", [["export const d2 = 2;", "// value 20 of d", "(more constants)"]]),
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

  it("recalls cut text, whole, by lines and by search", async () => {
    const cut = /[0-9a-f]{6}(?=\])/.exec(resultOf(now(), "b"))?.[0] ?? "";
    const recalled = `ask${talk.steps.length}`;
    expect(await ask(talk, () => recall(cut), model)).toContain("value 59 of b");
    const lines = await ask(talk, () => recall(cut, { lines: "5-6" }), model);
    expect(lines).toContain("value 1 of b");
    expect(lines).not.toContain("value 20 of b");
    expect(await ask(talk, () => recall(cut, { search: "value 33" }), model)).toContain("value 33 of b");
    expect(resultOf(now(), "b")).not.toContain("value 59 of b");
    const refused = await ask(talk, (request) => prune("discard", [[refOf(request, recalled)]]), model);
    expect(refused).toMatch(/a recalled text is protected for 10 steps, \d of them left: nothing may cut it/);
  });

  it("shows how full the context is", async () => {
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

  it("does the valid part of a mixed batch, and says what to do about the rest", async () => {
    const a = refOf(now(), "a");
    const answer = await ask(talk, () => prune("discard", [[a], ["zzzzzz"], ["ffffff"], [a]]), model);
    expect(answer).toContain("discard ✓");
    expect(answer).toContain("Invalid hash format");
    expect(answer).toContain("unknown ref");
    expect(resultOf(now(), "a")).not.toContain("value 59 of a");
  });
});
