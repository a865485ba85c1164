import { readFileSync } from "node:fs";
import { bugFix } from "./bug-fix.mjs";
import { feature } from "./feature.mjs";
import { callIdFor, createRecording, signThinking } from "./recording.mjs";
import { refactor } from "./refactor.mjs";
import { createTools, ToolFailure } from "./tools.mjs";
import { openWorkspace } from "./workspace.mjs";

const PAGES = {
  "https://docs.shopkit.example/promotions/v2/volume": readText("pages/volume.md").trimEnd(),
};

/** Milliseconds that a tool seems to take. */
const PACE = { Read: 38, Edit: 61, Write: 57, Bash: 430, Grep: 74, TodoWrite: 9, WebFetch: 1_912 };

/** Plays the scripted session in a fresh workspace and gives the text of its recording. */
export function playSession() {
  const workspace = openWorkspace();
  try {
    const tools = createTools(workspace, PAGES);
    const recording = createRecording();
    let calls = 0;
    for (const turn of [bugFix, feature, refactor]) {
      if (turn.committed) workspace.commit(...turn.committed);
      recording.addUserMessage(turn.user, turn.pauseSeconds);
      for (const step of turn.steps) calls = playStep(step, calls, { recording, tools });
      recording.endTurn();
    }
    return { text: recording.toText(), tokens: recording.contextTokens() };
  } finally {
    workspace.close();
  }
}

function playStep({ thinking, text, calls = [] }, callsBefore, { recording, tools }) {
  const blocks = [];
  if (thinking) blocks.push({ type: "thinking", thinking, signature: signThinking(thinking) });
  if (text) blocks.push({ type: "text", text });
  const uses = calls.map(({ name, input }, index) => ({
    type: "tool_use",
    id: callIdFor(callsBefore + index),
    name,
    input,
  }));
  const uuids = recording.addResponse([...blocks, ...uses], calls.length > 0 ? "tool_use" : "end_turn");
  for (const [index, call] of calls.entries()) {
    const { block, details } = execute(call, uses[index].id, tools);
    recording.addResult(uuids[blocks.length + index], block, details, PACE[call.name]);
  }
  return callsBefore + calls.length;
}

/** Stops the generator when a call fails that should not, or the other way round. */
function execute({ name, input, fails = false }, id, tools) {
  try {
    const { content, details } = tools[name](input);
    if (fails) throw new Error(`should have failed: ${name} ${JSON.stringify(input)}\n${content}`);
    const ending = name === "Bash" ? { is_error: false } : {};
    return { block: { tool_use_id: id, type: "tool_result", content, ...ending }, details };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    if (!fails) throw new Error(`failed: ${name} ${JSON.stringify(input)}\n${error.message}`);
    const content = error.refused ? `<tool_use_error>${error.message}</tool_use_error>` : error.message;
    return {
      block: { type: "tool_result", content, is_error: true, tool_use_id: id },
      details: `Error: ${error.message}`,
    };
  }
}

function readText(path) {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
