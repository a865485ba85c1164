import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  as,
  bash,
  edit,
  fetchUrl,
  info,
  inputOf,
  prune,
  read,
  refOf,
  resultOf,
  source,
  todo,
  write,
} from "./ask.ts";
import { type Recorded, textOf } from "./model.ts";
import { type Line, openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* Text that is cut by age, and the text that each preset leaves: in the same process, over both wires. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});

afterAll(() => stage.close());

/** A session in its own project, in which cuts are made at once. */
async function open(name: string, strategies: object, files: Record<string, string> = {}): Promise<Talk> {
  const settings = { schedule: { mode: "eager" }, strategies: { spent: { enabled: false }, ...strategies } };
  const folder = stage.host.addProject(name, {
    "a.ts": source("a"),
    ".opencode/coppice.jsonc": JSON.stringify(settings),
    ...files,
  });
  return stage.talk(folder);
}

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Steps without any effect. */
const steps = (count: number): readonly Line[] =>
  Array.from({ length: count }, (_, i) => ({ calls: [bash(`echo step ${i}`)] }));

const usersOf = (request: Recorded | undefined): string =>
  (request?.body.messages ?? [])
    .filter(({ role }) => role === "user")
    .map(textOf)
    .join("\n");

describe.each(WIRES)("old, over the wire of %s", (wire, model) => {
  it("an attachment becomes its name, type and size", async () => {
    const talk = await open(`files-${wire}`, { pruneProtect: 300 });
    const url = `data:image/png;base64,${dot}`;
    const files = [{ mime: "image/png", url, filename: "shot.png" }];
    await talk.say("See this.", [{ calls: [bash("seq 1 500")] }, { text: "Seen." }], { model, files });
    expect(talk.steps.at(-1)?.raw, "of the newest message it stays").toContain(dot);
    await talk.say("Go on.", [{ text: "Going on." }], { model });
    expect(talk.steps.at(-1)?.raw).not.toContain(dot);
    expect(usersOf(talk.steps.at(-1))).toContain("[file: shot.png, image/png, 70 bytes]");
    expect(usersOf(talk.steps.at(-1))).toContain("See this.");
  });

  it("code that a user wrote keeps its first lines", async () => {
    const talk = await open(`code-${wire}`, {
      pruneProtect: 300,
      aggressivePruning: { preset: "compact" },
    });
    const said = `Why is this wrong?\n\`\`\`ts\n${source("code", 40)}\n\`\`\`\nTell me.`;
    await talk.say(said, [{ calls: [bash("seq 1 500")] }, { text: "So." }], { model });
    expect(usersOf(talk.steps.at(-1)), "of the newest message it stays").toContain("value 39 of code");
    await talk.say("Go on.", [{ text: "Going on." }], { model });
    expect(usersOf(talk.steps.at(-1))).toContain("value 2 of code\n… 37 more lines\n```\nTell me.");
  });

  it("an error keeps its telling lines, and the input of its call its subject", async () => {
    const tool = `export default {
      description: "Deploys",
      args: { target: { type: "string" }, notes: { type: "string" } },
      async execute() {
        const error = new Error("first line\\n" + Array.from({ length: 30 }, (_, i) => "    at frame" + i + " (f.ts:" + i + ")").join("\\n") + "\\nTypeError: the last word");
        error.stack = "";
        throw error;
      },
    };`;
    const talk = await open(
      `errors-${wire}`,
      { purgeErrors: { enabled: true, turns: 2 }, aggressivePruning: { truncateOldErrors: true } },
      { ".opencode/tool/deploy.js": tool },
    );
    const deploy = { name: "deploy", input: { target: "web", notes: source("note") } };
    await talk.say("Deploy.", [{ calls: [as("deploy", deploy)] }, ...steps(3), { text: "Failed." }], {
      model,
    });
    const [before, after] = talk.steps.slice(-2);
    expect(resultOf(before, "deploy")).toContain("frame29");
    expect(inputOf(before, "deploy")).toContain("value 59 of note");
    expect(resultOf(after, "deploy")).toMatch(
      /TypeError: the last word\n\[old error: \d+ more lines · [0-9a-f]{6}\]/,
    );
    expect(resultOf(after, "deploy")).not.toContain("frame7");
    expect(JSON.parse(inputOf(after, "deploy"))).toEqual({ target: "web", notes: "" });
  });
});

describe.each(WIRES)("the preset, over the wire of %s", (wire, model) => {
  /** Of each mechanism one call that a newer one makes stale. */
  async function play(preset: string): Promise<ReadonlySet<string>> {
    const talk = await open(`${preset}-${wire}`, { aggressivePruning: { preset } });
    const page = `${stage.model.baseURL}/page`;
    const list = (status: string) =>
      todo(...Array.from({ length: 20 }, (_, i) => [`Task number ${i} of the long list`, status] as const));
    const change = edit("a.ts", "export const a1 = 1;", "export const a1 = 2;");
    const calls = [
      [as("same", bash("seq 1 400"))],
      [as("todo", list("pending"))],
      [as("info", info())],
      [as("url", fetchUrl(page))],
      [as("query", bash("find . -maxdepth 1 -name '*.ts'; ls -la /usr/bin | head -60"))],
      [as("view", read("a.ts"))],
      [as("edited", change)],
      [as("write", write("new.ts", source("new")))],
      [bash("seq 1 400"), list("completed"), info(), fetchUrl(`${page}#end`)],
      [as("lists", bash("ls -l /usr/bin | head -60"))],
      [as("listed", bash("ls -la /usr/bin | head -60"))],
      [write("new.ts", "export {};")],
    ];
    await talk.say("Go.", [...calls.map((each) => ({ calls: each })), { text: "Done." }], { model });
    const last = talk.steps.at(-1);
    const gone = ["same", "todo", "info", "url", "lists", "view"].filter((id) =>
      resultOf(last, id).startsWith("[superseded: "),
    );
    const input = inputOf(last, "write").includes("value 59 of new") ? [] : ["write"];
    await talk.say(
      "Cut.",
      [
        (request) => ({ calls: [as("cut", prune("discard", [[refOf(request, "listed")]]))] }),
        { text: "Cut." },
      ],
      { model },
    );
    const agent = resultOf(talk.steps.at(-1), "listed").startsWith("[discarded: ") ? ["agent"] : [];
    return new Set([...gone, ...input, ...agent]);
  }

  it.each([
    ["compact", ["same", "todo", "info", "url", "lists", "view", "write", "agent"]],
    ["balanced", ["same", "todo", "info", "url", "lists", "write", "agent"]],
    ["verbose", ["same", "todo", "info", "agent"]],
  ])("%s cuts what its description says", async (preset, expected) => {
    expect(await play(preset)).toEqual(new Set(expected));
  });
});
