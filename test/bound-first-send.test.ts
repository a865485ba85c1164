import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../src/config/config.ts";
import type { ReasoningRule } from "../src/models/profile.ts";
import { createPruner } from "../src/pruner.ts";
import { estimateTokens } from "../src/transcript/estimate.ts";
import { textOf } from "./conversation.ts";
import { askLaws, runLive } from "./laws.ts";

/* Where reasoning is bound to the text before it, more shrinks before its first send: later it is too late. */

const user = (text: string) => ({ role: "user", content: [{ type: "text", text }] });

/** Each response begins with a signed thought, as from a model that binds reasoning. */
class Session {
  readonly messages: unknown[] = [user("Fix the failing test.")];
  #serial = 0;

  call(name: string, input: unknown, output: string, failed = false): this {
    const id = `c${this.#serial++}`;
    this.messages.push(
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: `thought ${id}`, signature: `signed ${id}` },
          { type: "tool_use", id, name, input },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: id, content: output, ...(failed && { is_error: true }) },
        ],
      },
    );
    return this;
  }

  steps(count: number): this {
    for (let i = 0; i < count; i++) this.call("Bash", { command: `echo ${i}` }, "ok");
    return this;
  }
}

interface Sent {
  readonly content: readonly { readonly content?: string; readonly input?: { readonly command?: string } }[];
}

/** Sends the session request by request; every request must begin like the previous one. */
function send({ messages }: Session, reasoning: ReasoningRule, config: PartialConfig = {}): readonly Sent[] {
  const prices = { "*": { reasoning } };
  const pruner = createPruner({ config: { ...config, schedule: { ...config.schedule, prices } } });
  let sent: readonly unknown[] = [];
  for (let end = 1; end <= messages.length; end += 2) {
    const { messages: now } = pruner.prune(messages.slice(0, end), { session: "s" });
    if (reasoning === "bound") expect(now.slice(0, sent.length)).toEqual(sent);
    sent = now;
  }
  return sent as readonly Sent[];
}

const outputOf = (sent: readonly Sent[], step: number) => sent[2 * step]?.content[0]?.content ?? "";
const commandOf = (sent: readonly Sent[], step: number) =>
  sent[2 * step - 1]?.content[1]?.input?.command ?? "";

describe("the cap for results that do not show a file", () => {
  const run = new Session().call("Bash", { command: "make" }, textOf(1_700));

  test("is lower", () => {
    const output = outputOf(send(run, "bound"), 1);
    expect(estimateTokens(output)).toBeLessThanOrEqual(1_250);
    expect(output).toMatch(/lines omitted · [0-9a-f]{6}\]/);
    expect(outputOf(send(run, "signed"), 1)).toBe(textOf(1_700));
  });

  test("follows the setting, and is off with it", () => {
    const capped = outputOf(send(run, "bound", { schedule: { ingestCap: 1_000 } }), 1);
    expect(estimateTokens(capped)).toBeLessThanOrEqual(625);
    expect(outputOf(send(run, "bound", { schedule: { ingestCap: null } }), 1)).toBe(textOf(1_700));
  });

  test("files stay whole", () => {
    const read = new Session().call("Read", { file_path: "a.ts" }, textOf(1_700));
    expect(outputOf(send(read, "bound"), 1)).toBe(textOf(1_700));
  });
});

describe("a file that is read again", () => {
  const file = { file_path: "src/a.ts" };
  const session = () =>
    new Session().call("Read", file, textOf(400)).steps(2).call("Read", file, textOf(400));
  const rereads = (pruneRereads: boolean) => ({ strategies: { aggressivePruning: { pruneRereads } } });

  test("is a pointer to the read that stays", () => {
    const sent = send(session(), "bound");
    expect(outputOf(sent, 4)).toMatch(/^\[unchanged since it was read 3 steps before/);
    expect(outputOf(sent, 1)).toBe(textOf(400));
  });

  test("for other models only if that is requested", () => {
    const whole = send(session(), "signed");
    expect([outputOf(whole, 1), outputOf(whole, 4)]).toContain(textOf(400));
    expect(JSON.stringify(whole)).not.toContain("unchanged since it was read");
    expect(outputOf(send(session(), "signed", rereads(true)), 4)).toMatch(/^\[unchanged/);
  });

  test.each<[string, PartialConfig]>([
    ["turned off", rereads(false)],
    ["verbose", { strategies: { aggressivePruning: { preset: "verbose" } } }],
  ])("and not if it is %s", (_, config) => {
    expect(JSON.stringify(send(session(), "bound", config))).not.toContain("unchanged since");
  });
});

describe("the input of a call", () => {
  const script = `cat > a.py <<'EOF'\n${textOf(500)}\nEOF`;
  const short = "cat > a.py <<'EOF'\n…\nEOF";

  test("shrinks before it is first sent back", () => {
    const session = new Session().steps(6).call("Bash", { command: script }, "");
    expect(commandOf(send(session, "bound"), 7)).toBe(short);
    expect(commandOf(send(session, "signed"), 7)).toBe(script);
  });

  test("not of one that failed: the agent must see its input", () => {
    const session = new Session().steps(6).call("Bash", { command: script }, "no such folder", true).steps(4);
    expect(commandOf(send(session, "bound"), 7)).toBe(script);
  });

  test("not a small one", () => {
    const small = `cat > a.py <<'EOF'\n${textOf(200)}\nEOF`;
    const session = new Session().steps(6).call("Bash", { command: small }, "");
    expect(commandOf(send(session, "bound"), 7)).toBe(small);
    const later = commandOf(send(session.steps(4), "signed", { schedule: { mode: "eager" } }), 7);
    expect(later).toBe(short);
  });

  test("not if inputs are kept", () => {
    const session = new Session().steps(6).call("Bash", { command: script }, "");
    const config = { strategies: { aggressivePruning: { pruneToolInputs: false } } };
    expect(commandOf(send(session, "bound", config), 7)).toBe(script);
  });
});

test("the laws hold", () => {
  const { messages } = new Session()
    .call("Read", { file_path: "a.ts" }, textOf(600))
    .call("Bash", { command: "make" }, textOf(3_000, 1))
    .steps(5)
    .call("Read", { file_path: "a.ts" }, textOf(600))
    .call("Bash", { command: `cat > b.py <<'EOF'\n${textOf(500, 2)}\nEOF` }, "")
    .steps(3);
  const config = { schedule: { prices: { "*": { reasoning: "bound" as const } } } };
  const run = runLive({ format: "anthropic-messages", messages, meta: [] }, { config }, "bound");
  const authors = run.requests.at(-1)?.sent.report.edits.map(({ edit }) => edit.author);
  expect(authors).toEqual(["cap-results", "repeated-reads", "spent-inputs"]);
  askLaws(run);
});
