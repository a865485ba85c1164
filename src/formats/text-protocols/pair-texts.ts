import { hashText } from "../../transcript/hash.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { CallPart, Leaf, Part, ResultPart, TextPart } from "../../transcript/part.ts";
import type { TextProtocol, TextResult } from "./text-protocol.ts";

/**
 * Handles a user message after an answer that wrote its calls as text: each output in it becomes the result of a
 * call. The call is placed directly before it, because the answer stays unchanged. The protocol's text around an
 * output stays around it.
 *
 *   "```bash\nls\n```"  |  text "<returncode>0</returncode>\n<output>\na.ts\n</output>"   ->   call bash, result "a.ts"
 *
 * Returns all other messages unchanged.
 */
export function pairTexts(
  message: DecodedMessage,
  previous: DecodedMessage | undefined,
  protocols: readonly TextProtocol[],
): DecodedMessage {
  if (!mayAnswer(message) || message.parts.some(isResult)) return message;
  if (previous?.role !== "assistant" || previous.parts.some(isCall)) return message;
  const texts = message.parts.filter(isWhole);
  if (texts.length === 0) return message;
  const answer = previous.parts.flatMap((part) => (part.kind === "text" ? part.leaves : []));
  const answerText = answer.map(({ text }) => text).join("\n");
  const userTexts = texts.map(({ leaves: [leaf] }) => leaf?.text ?? "");
  for (const protocol of protocols) {
    const results = protocol.read(userTexts, answerText);
    if (results.length > 0)
      return { ...message, parts: placeResults(message.parts, texts, results, answerText) };
  }
  return message;
}

/** Was it read together with the message before it? Any user message may be. */
export function mayAnswer({ role }: DecodedMessage): boolean {
  return role === "user";
}

function placeResults(
  parts: readonly Part[],
  texts: readonly TextPart[],
  results: readonly TextResult[],
  answer: string,
): readonly Part[] {
  const byText = new Map(results.map((result, i) => [texts[result.text], { result, i }]));
  const hash = hashText(answer);
  return parts.flatMap((part) => {
    const found = part.kind === "text" ? byText.get(part) : undefined;
    const [leaf] = part.leaves;
    if (!found || !leaf) return [part];
    // An answer may be repeated word for word. Its calls then have the same ids, which are told apart anyway.
    return makePair(part, leaf, found.result, `text-${hash}-${found.i}`);
  });
}

function makePair(part: Part, leaf: Leaf, result: TextResult, callId: string): readonly Part[] {
  const { slot, role } = part;
  const { call, from, to, failed, exitCode } = result;
  const made: CallPart = {
    kind: "call",
    slot: `${slot}#call`,
    role: "assistant",
    leaves: [],
    callId,
    tool: call.tool,
    input: call.input,
    inText: true,
  };
  const answered: ResultPart = {
    kind: "result",
    slot,
    role,
    leaves: [cutOut(leaf, from, to)],
    callId,
    status: failed ? "error" : "ok",
    ...(exitCode !== undefined && { exitCode }),
  };
  return [made, answered];
}

function cutOut(leaf: Leaf, from: number, to: number): Leaf {
  const { id, text } = leaf;
  if (from === 0 && to === text.length) return leaf;
  return { id, text: text.slice(from, to), frame: { before: text.slice(0, from), after: text.slice(to) } };
}

/** A text that may contain a protocol's delimiters. */
function isWhole(part: Part): part is TextPart {
  return part.kind === "text" && !part.synthetic && !part.signed && part.leaves.length === 1;
}

function isCall({ kind }: Part): boolean {
  return kind === "call";
}

function isResult({ kind }: Part): boolean {
  return kind === "result";
}
