import { expect, test } from "vitest";
import { EventStream } from "../../../src/wires/answers/event-stream.ts";

/** The data of each event, of a stream that comes in pieces of this size. */
function readEvents(text: string, size: number): readonly string[] {
  const events: string[] = [];
  let data = "";
  const stream = new EventStream({
    push: (piece) => {
      data += piece;
    },
    end: () => {
      events.push(data);
      data = "";
    },
  });
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  stream.end();
  return events;
}

test.each<[string, string, readonly string[]]>([
  ["two events", "data: a\n\ndata: b\n\n", ["a", "b"]],
  ["two lines are one event", "data: a\ndata: b\n\n", ["a\nb"]],
  ["one blank belongs to the field, a second to the data", "data:  a\n\ndata:b\n\n", [" a", "b"]],
  ["returns and line feeds", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", ["a\nb", "c"]],
  ["returns alone", "data: a\rdata: b\r\rdata: c\r\r", ["a\nb", "c"]],
  ["mixed", "data: a\r\ndata: b\n\rdata: c\n\n", ["a\nb", "c"]],
  ["an end without a blank line", "data: a", ["a"]],
  ["other fields and comments", ": hi\nevent: x\nid: 1\ndatum: no\nda\ndata: a\n\n", ["a"]],
  ["colons and blanks in the data", "data: a: b \n\n", ["a: b "]],
  ["nothing in it", "data:\n\nevent: x\n\n\n\n", []],
  ["nothing", "", []],
])("%s", (_, text, events) => {
  for (const size of [1, 2, 3, 5, 100]) expect(readEvents(text, size), `pieces of ${size}`).toEqual(events);
});
