import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import type { Counted, Reply } from "./provider.ts";
import { responses } from "./responses.ts";

export type DialectName = "anthropic" | "chat" | "responses" | "gemini";

export interface Answered {
  readonly reply: Reply;
  /** As it is shown, where the reply has any. */
  readonly thinking?: string;
  /** Of what was thought. */
  readonly signature: string;
  readonly usage: Counted;
  readonly model: string;
  /** Of the request, from 1. */
  readonly serial: number;
}

/** The format of a provider's interface. */
export interface Dialect {
  readonly name: DialectName;
  readonly paths: RegExp;
  messagesOf(body: Record<string, unknown>): readonly unknown[];
  whole(answered: Answered): unknown;
  events(answered: Answered): Iterable<string>;
  error(status: number, message: string): unknown;
}

export const DIALECTS: readonly Dialect[] = [anthropic, chat, responses, gemini];
