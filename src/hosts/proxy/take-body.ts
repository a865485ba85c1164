import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";

/** The body of a request: complete, or a stream from its start if it is too large to hold. */
export type TakenBody =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "stream"; readonly stream: Readable };

/** @throws if the client disconnects before it has sent everything */
export async function takeBody(incoming: IncomingMessage, most: number): Promise<TakenBody> {
  if (Number(incoming.headers["content-length"]) > most) return { kind: "stream", stream: incoming };
  const chunks: Buffer[] = [];
  let size = 0;
  const iterator = incoming[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await iterator.next();
    if (done) return { kind: "whole", bytes: Buffer.concat(chunks) };
    chunks.push(value as Buffer);
    size += (value as Buffer).length;
    if (size > most) return { kind: "stream", stream: Readable.from(joined(chunks, iterator)) };
  }
}

async function* joined(
  first: readonly Buffer[],
  rest: AsyncIterator<unknown>,
): AsyncGenerator<unknown, void> {
  yield* first;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}
