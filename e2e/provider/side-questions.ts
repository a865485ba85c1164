import type { ServerResponse } from "node:http";

interface Question {
  readonly method: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** What clients ask for beside answers: is it there, which models, how many tokens. Other paths are unknown here. */
export function answerSideQuestion({ method, path, bytes }: Question, outgoing: ServerResponse): void {
  const [plain = ""] = path.split("?");
  const tokens = Math.ceil(bytes.length / 4);
  if (method === "HEAD") outgoing.writeHead(200).end();
  else if (plain.endsWith("/count_tokens")) send(outgoing, { input_tokens: tokens });
  else if (plain.endsWith(":countTokens")) send(outgoing, { totalTokens: tokens });
  else if (method === "GET" && plain.endsWith("/models"))
    send(outgoing, { object: "list", data: [], models: [] });
  else outgoing.writeHead(404, { "content-type": "application/json" }).end("{}");
}

function send(outgoing: ServerResponse, body: unknown): void {
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}
