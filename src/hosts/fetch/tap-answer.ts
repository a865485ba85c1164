import type { AnswerReader } from "../../wires/wire.ts";
import type { PrunedRequest } from "../conversation/conversations.ts";

/**
 * Passes the response on unchanged, chunk by chunk, while a reader takes usage and calls from it. Nothing waits for
 * the reader, and nothing is kept for it.
 */
export function tapAnswer(
  response: Response,
  reader: AnswerReader,
  answered: PrunedRequest<unknown>["answered"],
): Response {
  if (!response.body) return response;
  let isOpen = true;
  const end = () => {
    if (!isOpen) return;
    isOpen = false;
    const { ok, usage, model, calls } = reader.end();
    if (response.ok && (ok || usage))
      answered({ calls, ...(usage && { usage }), ...(model !== undefined && { model }) });
  };
  const source = response.body.getReader();
  const tapped = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.read();
      if (done) {
        end();
        controller.close();
        return;
      }
      reader.push(value);
      controller.enqueue(value);
    },
    async cancel(reason) {
      end();
      await source.cancel(reason);
    },
  });
  const copy = new Response(tapped, response);
  // A `Response` that a program constructs has no url.
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}
