import type { AnswerNotes } from "./answer-notes.ts";

/** The stream, part by part, while `notes` reads it. Requests nothing before the consumer does. */
export function tapStream<T>(stream: ReadableStream<T>, notes: AnswerNotes): ReadableStream<T> {
  const source = stream.getReader();
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { done, value } = await source.read();
        if (done) {
          controller.close();
          return;
        }
        notes.readPart(value);
        controller.enqueue(value);
      },
      cancel: (reason) => source.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
