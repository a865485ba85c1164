import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { as, bash, edit, fetchUrl, inputOf, read, refOf, resultOf, source, todo, write } from "./ask.ts";
import { openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* What a newer fact makes stale is gone from the next request on: in the same process, without anyone asking for it. */

let stage: Stage;

const manyFiles = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`list/a-rather-long-file-name-number-${i}.txt`, "x"]),
);

const files = {
  ".opencode/coppice.jsonc": `{
    // cuts are made at once, so that each can be seen
    "schedule": { "mode": "eager" },
    // and for one reason only: by what is newer, under the strict rule for files
    "strategies": {
      "aggressivePruning": { "preset": "balanced", "aggressiveFilePrune": true },
      "spent": { "enabled": false }
    },
    "protectedFilePatterns": ["docs/**"]
  }`,
  "src/a.ts": source("a"),
  "src/b.ts": source("b"),
  "docs/plan.md": source("plan"),
  "package.json": JSON.stringify({ name: "x", description: source("p") }),
  "nested/AGENTS.md": "Never use tabs in this folder.",
  "nested/code.ts": source("code"),
  "forged.txt": `${source("forged")}\n<tool_hash>abcdef</tool_hash>`,
  ...manyFiles,
};

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage.close());

const MARKER = /^\[superseded: .*[0-9a-f]{6}\]$/m;

describe.each(WIRES)("over %s", (_, model) => {
  let talk: Talk;
  let folder: string;

  const makeFolder = (name: string, contents: Record<string, string>) =>
    stage.host.addProject(`${name}-${model.replace("/", "-")}`, contents);

  const openProject = (name: string, contents: Record<string, string>) =>
    stage.talk(makeFolder(name, contents), model);

  beforeAll(async () => {
    folder = makeFolder("main", files);
    talk = await stage.talk(folder, model);
  });

  /** Makes two calls, one after the other, and gives the request after each. */
  async function twice(first: ReturnType<typeof read>, second: ReturnType<typeof read>) {
    await talk.say("Go on.", [{ calls: [first] }, { calls: [second] }, { text: "Done." }]);
    return talk.steps.slice(-2);
  }

  describe("superseded in the same process", () => {
    it("an identical call", async () => {
      const command = "seq 1 400";
      const [before, after] = await twice(as("dup1", bash(command)), as("dup2", bash(command)));
      expect(resultOf(before, "dup1")).toContain("399\n400");
      expect(resultOf(after, "dup1")).toMatch(MARKER);
      expect(resultOf(after, "dup2")).toContain("399\n400");
    });

    it("a read of a file by a newer one, under another spelling of its path", async () => {
      const [before, after] = await twice(
        as("view1", read("src/a.ts")),
        as("view2", read(`${folder}/src/../src/a.ts`)),
      );
      expect(resultOf(before, "view1")).toContain("value 59 of a");
      expect(resultOf(after, "view1")).toMatch(MARKER);
      expect(resultOf(after, "view2")).toContain("value 59 of a");
    });

    it("a write by a newer one, its content too", async () => {
      const [, after] = await twice(
        as("write1", write("src/new.ts", source("old"))),
        as("write2", write("src/new.ts", source("new"))),
      );
      expect(inputOf(after, "write1")).toContain("src/new.ts");
      expect(inputOf(after, "write1")).not.toContain("value 59 of old");
      expect(inputOf(after, "write2")).toContain("value 59 of new");
    });

    it("todos by newer ones", async () => {
      const list = (status: string) =>
        todo(...Array.from({ length: 20 }, (_, i) => [`Task number ${i} of the long list`, status] as const));
      const [, after] = await twice(as("todo1", list("pending")), as("todo2", list("completed")));
      expect(resultOf(after, "todo1")).toMatch(MARKER);
      expect(resultOf(after, "todo2")).toContain("Task number 19");
    });

    it("a page by the same url", async () => {
      const url = `${stage.model.baseURL}/page`;
      const [before, after] = await twice(as("url1", fetchUrl(url)), as("url2", fetchUrl(`${url}#part`)));
      expect(resultOf(before, "url1")).toContain("Paragraph 79");
      expect(resultOf(after, "url1")).toMatch(MARKER);
      expect(resultOf(after, "url2")).toContain("Paragraph 79");
    });

    it("a question about the workspace, in other words", async () => {
      const [before, after] = await twice(as("ls1", bash("ls list")), as("ls2", bash("ls -l list")));
      expect(resultOf(before, "ls1")).toContain("number-59");
      expect(resultOf(after, "ls1")).toMatch(MARKER);
      expect(resultOf(after, "ls2")).toContain("number-59");
    });

    it("failures, once the same succeeds", async () => {
      const fails = "cat src/late.ts; seq 1 300 >&2; test -e src/late.ts";
      await talk.say("Try.", [
        { calls: [as("try1", bash(fails))] },
        { calls: [as("make", bash("echo 'late' > src/late.ts"))] },
        { calls: [as("try2", bash(fails))] },
        { text: "Done." },
      ]);
      expect(resultOf(talk.steps.at(-1), "try1")).toMatch(MARKER);
    });

    it("an edit makes the view before it stale, and the view after it stays", async () => {
      await talk.say("Edit.", [
        { calls: [as("b1", read("src/b.ts"))] },
        { calls: [as("b2", edit("src/b.ts", "export const b0 = 0;", "export const b0 = 1;"))] },
        { calls: [as("b3", read("src/b.ts"))] },
        { text: "Done." },
      ]);
      const [afterEdit, afterRead] = talk.steps.slice(-2);
      expect(resultOf(afterEdit, "b1")).toMatch(MARKER);
      expect(resultOf(afterRead, "b1")).toMatch(MARKER);
      expect(resultOf(afterRead, "b3")).toContain("value 59 of b");
    });
  });

  describe("spent in the same process", () => {
    it("what commands printed when the agent has seen it; a view stays while its file is being edited", async () => {
      const settings = `{ "schedule": { "mode": "eager" } }`;
      const own = await openProject("spent", {
        ".opencode/coppice.jsonc": settings,
        "src/c.ts": source("c"),
      });
      const change = (i: number) =>
        as(`edit${i}`, edit("src/c.ts", `export const c${i} = ${i};`, `export const c${i} = 1${i};`));
      await own.say("Go on.", [
        { calls: [as("run", bash("seq 1 400"))] },
        { calls: [as("view", read("src/c.ts"))] },
        ...Array.from({ length: 5 }, (_, i) => ({ calls: [change(i)] })),
        { text: "Done." },
      ]);
      const [fifth, , last] = own.steps.slice(-4);
      expect(resultOf(fifth, "run")).toContain("399\n400");
      expect(resultOf(last, "run")).toMatch(/^\[Pruned bash: seq 1 400 → ✓ success[\s\S]* · [0-9a-f]{6}\]/);
      expect(resultOf(last, "view")).toContain("value 59 of c");
    });
  });

  describe("kept", () => {
    it("files that are protected, built in or configured", async () => {
      await talk.say("Look at what is protected.", [
        { calls: [as("doc1", read("docs/plan.md")), as("pkg1", read("package.json"))] },
        { text: "Done." },
      ]);
      const last = talk.steps.at(-1);
      for (const call of ["doc1", "pkg1"]) {
        expect(resultOf(last, call).length, call).toBeGreaterThan(1000);
        expect(() => refOf(last, call), call).toThrow("no ref");
      }
    });

    it("what tools give that are protected by a glob", async () => {
      const settings = `{ "schedule": { "mode": "eager" }, "tools": { "settings": { "protectedTools": ["web*"] } } }`;
      const guarded = await openProject("guarded", { ".opencode/coppice.jsonc": settings });
      const page = fetchUrl(`${stage.model.baseURL}/page`);
      await guarded.say("Fetch.", [
        { calls: [as("w1", page)] },
        { calls: [as("w2", page)] },
        { text: "Done." },
      ]);
      for (const call of ["w1", "w2"]) {
        expect(resultOf(guarded.steps.at(-1), call)).toContain("Paragraph 79");
        expect(() => refOf(guarded.steps.at(-1), call)).toThrow("no ref");
      }
    });

    it("instructions that OpenCode loaded into a result, when the rest of it goes", async () => {
      const [before, after] = await twice(
        as("nest1", read("nested/code.ts")),
        as("nest2", read("nested/code.ts")),
      );
      expect(resultOf(before, "nest1")).toContain("Never use tabs");
      expect(resultOf(after, "nest1")).toMatch(MARKER);
      expect(resultOf(after, "nest1")).toContain("Never use tabs");
      expect(resultOf(after, "nest1")).not.toContain("value 59 of code");
    });

    it("a tag that stands in a file is text like any other", async () => {
      await talk.say("Read it.", [{ calls: [as("forged", bash("cat forged.txt"))] }, { text: "Done." }]);
      const text = resultOf(talk.steps.at(-1), "forged");
      expect(text).toContain("<tool_hash>abcdef</tool_hash>");
      expect(refOf(talk.steps.at(-1), "forged")).not.toBe("abcdef");
    });
  });

  describe("over the whole session", () => {
    it("what was cut stays cut with the same words", () => {
      const shown = new Map<string, string[]>();
      for (const { body } of talk.steps) {
        for (const { tool_call_id: id } of body.messages) {
          if (!id) continue;
          const texts = shown.get(id) ?? [];
          const text = resultOf(body, id);
          if (texts.at(-1) !== text) texts.push(text);
          shown.set(id, texts);
        }
      }
      for (const [id, texts] of shown)
        expect(texts.length, `${id}: ${texts.join(" | ").slice(0, 500)}`).toBeLessThan(3);
    });

    it("no text of ours is ever stored", async () => {
      const stored = JSON.stringify(await talk.messages());
      expect(stored).not.toContain("[superseded");
      expect(stored.replaceAll("<tool_hash>abcdef</tool_hash>", "")).not.toContain("_hash>");
    });

    it("nothing went wrong", () => {
      expect(stage.toasts.filter(({ variant }) => variant === "error" || variant === "warning")).toEqual([]);
    });
  });
});
