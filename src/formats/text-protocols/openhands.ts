import { findFunctionCall } from "./find-function-call.ts";
import type { TextProtocol } from "./text-protocol.ts";

const RESULT = /^\s*EXECUTION RESULT of \[([^\]\n]{1,200})\]:\n?/;

/** Where the message of a result does not name its tool. */
const UNNAMED = "function";

/**
 * OpenHands for models without tool calls, and other agents that use its protocol:
 *
 *   <function=execute_bash>\n<parameter=command>ls</parameter>\n</function>   |   EXECUTION RESULT of [execute_bash]:\na.ts
 */
export const openHands: TextProtocol = {
  read(texts, answer) {
    const [text = ""] = texts;
    const head = RESULT.exec(text);
    const call = head ? findFunctionCall(answer) : undefined;
    if (!head || !call || !(head[1] === call.tool || head[1] === UNNAMED)) return [];
    return [{ call, text: 0, from: head[0].length, to: text.length }];
  },
};
