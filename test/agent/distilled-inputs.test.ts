import { describe, expect, test } from "vitest";
import type { FormatName } from "../../src/formats/format.ts";
import { createPruner } from "../../src/pruner.ts";
import { textOf } from "../conversation.ts";
import { AgentSession } from "./agent-session.ts";

const SUMMARY = "Two of 47 tests fail, both in orders.test.ts, where the rate is undefined.";
const FORMATS: readonly FormatName[] = ["openai-chat", "anthropic-messages", "opencode", "gemini", "pi"];

/** The inputs of distill calls, as sent. */
function inputs(played: AgentSession): readonly string[] {
  return played
    .shown()
    .flatMap(({ kind, text }) => (kind === "call" && text.includes("distill") ? [text] : []));
}

function tested(format: FormatName = "openai-chat"): AgentSession {
  return new AgentSession({}, format).step({
    calls: [
      ["bash", { command: "npm test" }, textOf(900)],
      ["bash", { command: "npm run lint" }, textOf(900, 2)],
    ],
  });
}

/** After this much text, a cut has to wait. */
function talkOn(played: AgentSession): AgentSession {
  for (let i = 0; i < 20; i++)
    played.step({ text: textOf(1_200, 10 + i), calls: [["read", { filePath: `f${i}.ts` }, "ok"]] });
  return played;
}

describe("the summary of a distill is removed from the call", () => {
  test.each(FORMATS)("%s: as soon as it is in the context", (format) => {
    const played = tested(format);
    const ref = played.ref("result");
    expect(played.ask("distill", [[ref, SUMMARY]])).toContain(`Cut: ${ref}\n`);
    expect(inputs(played)).toEqual([`distill\n${ref}\n`]);
    expect(played.results()[0]).toContain(SUMMARY);
  });

  test("not before the summary is in place", () => {
    const played = talkOn(tested());
    const ref = played.ref("result");
    expect(played.ask("distill", [[ref, SUMMARY]])).toContain(`Cut: ${ref} (later)`);
    expect(inputs(played)).toEqual([`distill\n${ref}\n${SUMMARY}`]);
    expect(played.results()[0]).not.toContain(SUMMARY);
    played.step({ pause: 400_000, calls: [["read", { filePath: "later.ts" }, "ok"]] });
    expect(played.results()[0]).toContain(SUMMARY);
    expect(inputs(played)).toEqual([`distill\n${ref}\n`]);
  });

  test("only of the targets that were accepted", () => {
    const played = tested();
    const ref = played.ref("result");
    played.ask("distill", [
      [ref, SUMMARY],
      ["000000", SUMMARY],
    ]);
    expect(inputs(played)).toEqual([`distill\n${ref}\n\n000000\n${SUMMARY}`]);
  });

  test("each of several targets with its own, and a list that was sent as a JSON text stays one", () => {
    const played = tested();
    const refs = [played.ref("result", 0), played.ref("result", 1)];
    played.ask("distill", JSON.stringify(refs.map((ref) => [ref, SUMMARY])));
    const [sent = ""] = inputs(played);
    expect(JSON.parse(sent.slice("distill\n".length))).toEqual(refs.map((ref) => [ref, ""]));
    for (const result of played.results().slice(0, 2)) expect(result).toContain(SUMMARY);
  });

  test("and a restore still brings the original back", () => {
    const played = tested();
    const ref = played.ref("result");
    played.ask("distill", [[ref, SUMMARY]]);
    played.ask("restore", [[ref]]);
    expect(played.results()[0]).toContain(textOf(900));
  });
});

describe("the transcript alone is enough", () => {
  test("after a restart, and after an undo", () => {
    const played = tested();
    const before = played.turns;
    const ref = played.ref("result");
    const fresh = played.prune();
    played.ask("distill", [[ref, SUMMARY]]);
    const restarted = createPruner({ ...played.options, format: played.format });
    expect(played.prune(restarted).messages).toEqual(played.prune().messages);
    played.turns = before;
    expect(played.prune().messages).toEqual(fresh.messages);
  });

  test("in a pruned transcript that is read again, the summary stays in place", () => {
    const played = tested("anthropic-messages");
    played.ask("distill", [[played.ref("result"), SUMMARY]]);
    const { messages } = played.prune();
    const again = createPruner({ ...played.options, format: played.format });
    expect(again.prune(messages, { session: "s", model: "claude-sonnet-4-5" }).messages).toEqual(messages);
  });
});
