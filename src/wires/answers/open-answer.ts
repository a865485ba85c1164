import type { AnswerReader } from "../wire.ts";
import { EventStream } from "./event-stream.ts";
import { JsonPicker } from "./json-picker.ts";
import { type AnswerKind, Notes } from "./notes.ts";

/**
 * Reads an answer of this kind. Its first character tells whether it is JSON or a stream of events: the
 * `content-type` may be wrong, for example for errors in a stream.
 */
export function openAnswer(kind: AnswerKind): AnswerReader {
  const notes = new Notes();
  const picker = new JsonPicker(kind.wanted(notes));
  const events = new EventStream(picker);
  const decoder = new TextDecoder();
  let reader: JsonPicker | EventStream | undefined;
  const read = (text: string): void => {
    const rest = reader ? text : text.trimStart();
    if (rest === "") return;
    reader ??= rest.startsWith("{") || rest.startsWith("[") ? picker : events;
    reader.push(rest);
  };
  return {
    get calls() {
      return notes.calls;
    },
    get calledTools() {
      return notes.calledTools;
    },
    push: (chunk) => read(decoder.decode(chunk, { stream: true })),
    end: () => {
      read(decoder.decode());
      reader?.end();
      return notes.toAnswer(kind.usage);
    },
  };
}
