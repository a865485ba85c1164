import { createHash } from "node:crypto";
import { profileFor } from "../../src/models/profile-for.ts";
import type { Received, Reply } from "./provider.ts";
import { listOf } from "./sse.ts";

/** Gemini's value for calls that another model made, or that were stored without their signature. */
const UNSIGNED = "skip_thought_signature_validator";

type Fields = { readonly [field: string]: unknown };

interface Signed {
  readonly thinking: string;
  /** A hash of the messages before it, for models that bind thinking to them. */
  readonly prefix?: string;
}

/** Signs the model's thinking, and recognises its own signatures. */
export class Signatures {
  readonly #signed = new Map<string, Signed>();
  /** By call id, the signature of the thinking before it. */
  readonly #thoughtBefore = new Map<string, string>();

  sign(request: Received, { thinking, calls = [] }: Reply, serial: number): string {
    if (thinking === undefined) return "";
    const signature = hash(`${serial} ${thinking}`);
    const isBound = profileFor(String(request.body.model)).reasoning === "bound";
    this.#signed.set(signature, { thinking, ...(isBound && { prefix: hashOf(request.messages) }) });
    for (const { id } of calls) this.#thoughtBefore.set(id, signature);
    return signature;
  }

  /** Why the real provider would answer 400: thinking that is foreign, changed, missing or in another place. */
  findProblem(request: Received): string | undefined {
    switch (request.dialect) {
      case "anthropic":
        return this.#findThinkingProblem(request);
      case "responses":
        return this.#findReasoningProblem(request);
      case "gemini":
        return this.#findThoughtProblem(request);
      case "chat":
        return undefined;
    }
  }

  #findThinkingProblem({ messages, body }: Received): string | undefined {
    const loop = startOfLoop(messages);
    for (const [index, message] of messages.entries()) {
      const { role, content } = message as Fields;
      if (role !== "assistant") continue;
      const blocks = listOf(content) as readonly Fields[];
      const at = `messages.${index}`;
      for (const block of blocks.filter(({ type }) => type === "thinking")) {
        const signed = this.#signed.get(String(block.signature));
        if (!signed) return `${at}: Invalid \`signature\` in \`thinking\` block`;
        if (block.thinking !== "" && block.thinking !== signed.thinking)
          return `${at}: \`thinking\` blocks cannot be modified.`;
        if (signed.prefix !== undefined && signed.prefix !== hashOf(messages.slice(0, index)))
          return `${at}: the content before this \`thinking\` block was changed.`;
      }
      const wanted = blocks.flatMap(({ type, id }) =>
        type === "tool_use" ? (this.#thoughtBefore.get(String(id)) ?? []) : [],
      );
      const isThere = (signature: string) => blocks.some((block) => block.signature === signature);
      if (body.thinking !== undefined && index > loop && !wanted.every(isThere))
        return `${at}: Expected \`thinking\`, but found \`tool_use\`.`;
    }
    return undefined;
  }

  #findReasoningProblem({ messages }: Received): string | undefined {
    const items = messages as readonly Fields[];
    const thoughts = new Set(items.map(({ encrypted_content }) => encrypted_content));
    // Clients may drop it from finished turns: Copilot does, when it resumes.
    const loop = items.findLastIndex(({ role }) => role === "user");
    for (const [index, { type, id, call_id, encrypted_content }] of items.entries()) {
      if (type === "reasoning" && encrypted_content && !this.#signed.has(String(encrypted_content)))
        return `The encrypted content of item ${id} could not be verified.`;
      const wanted = this.#thoughtBefore.get(String(call_id));
      const isCall = type === "function_call" || type === "custom_tool_call";
      if (index > loop && isCall && id !== undefined && wanted !== undefined && !thoughts.has(wanted))
        return `Item '${id}' of type '${type}' was provided without its required 'reasoning' item.`;
    }
    return undefined;
  }

  #findThoughtProblem({ messages }: Received): string | undefined {
    const start = messages.findLastIndex((message) => {
      const { role, parts } = message as Fields;
      return role === "user" && listOf(parts).every((part) => !(part as Fields).functionResponse);
    });
    for (const [index, message] of messages.entries()) {
      const parts = listOf((message as Fields).parts) as readonly Fields[];
      const signatures = parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []);
      if (!signatures.every((signature) => signature === UNSIGNED || this.#signed.has(String(signature))))
        return `contents.${index}: Corrupted thought signature.`;
      const isUnsigned = parts.some((part) => part.functionCall) && signatures.length === 0;
      if (index > start && isUnsigned && this.#signed.size > 0)
        return `contents.${index}: Function call is missing a thought_signature in functionCall parts.`;
    }
    return undefined;
  }
}

/** The start of the current tool loop: the person's newest message. */
function startOfLoop(messages: readonly unknown[]): number {
  return messages.findLastIndex((message) => {
    const { role, content } = message as Fields;
    return role === "user" && !listOf(content).some((block) => (block as Fields).type === "tool_result");
  });
}

/** Cache marks move, and a text may be a block or not: neither is a change. */
function hashOf(messages: readonly unknown[]): string {
  const plain = messages.map((message) => {
    const { content, ...rest } = message as Fields;
    return { ...rest, content: typeof content === "string" ? [{ type: "text", text: content }] : content };
  });
  return hash(JSON.stringify(plain, (key, value: unknown) => (key === "cache_control" ? undefined : value)));
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
