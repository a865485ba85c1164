import type { DecodedMessage } from "../../transcript/message.ts";
import { Transcript } from "../../transcript/transcript.ts";
import { opensTurn } from "./decode.ts";

/**
 * Decoded messages and the transcript of their parts. All code that reads a session builds its transcript here.
 *
 *   decodeMessages(format, messages)  ->  append each  ->  transcript
 */
export class Intake {
  readonly transcript: Transcript = new Transcript();
  readonly messages: DecodedMessage[] = [];
  /** The index of each message's first part. */
  readonly firstPart: number[] = [];

  append(messages: readonly DecodedMessage[]): void {
    for (const message of messages) {
      this.firstPart.push(this.transcript.length);
      this.transcript.append(message.parts, this.messages.length, opensTurn(message));
      this.messages.push(message);
    }
  }

  /** Goes back to a position in the transcript's undo log; `messages` is their number at that time. */
  rollback(mark: number, messages: number): void {
    this.transcript.rollback(mark);
    this.messages.length = messages;
    this.firstPart.length = messages;
  }
}

/** Adds a whole list of messages. */
export function takeIn(messages: readonly DecodedMessage[]): Intake {
  const intake = new Intake();
  intake.append(messages);
  return intake;
}
