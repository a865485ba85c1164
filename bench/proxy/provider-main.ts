/** A provider that reads what it is sent and answers at once; or, asked for a long answer, an event every 100 ms, with the time in it. */
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

const EVENTS = [
  {
    type: "message_start",
    message: { model: "claude-sonnet-4-5", usage: { input_tokens: 9, output_tokens: 1 } },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Done." } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } },
  { type: "message_stop" },
].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, outgoing) => {
  incoming.resume();
  incoming.on("end", async () => {
    outgoing.writeHead(200, { "content-type": "text/event-stream" });
    for (let i = 0; i < Number(incoming.headers["x-events"] ?? 0) && !outgoing.destroyed; i++) {
      outgoing.write(`: ${Date.now()}\n\n`);
      await wait(100);
    }
    for (const event of EVENTS) outgoing.write(event);
    outgoing.end();
  });
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
