import type { ServerResponse } from "node:http";

interface Question {
  readonly method: string;
  readonly path: string;
  readonly bytes: Buffer;
}

/** Codex, logged in with ChatGPT, first has to know the home of its account. */
const ACCOUNTS = {
  accounts: [
    {
      ...{
        id: "account-1",
        account_id: "account-1",
        name: "Someone",
        structure: "personal",
        plan_type: "pro",
      },
      ...{ is_deactivated: false, can_access_with_session: true, is_fedramp_compliant_workspace: false },
      ...{ workspace_backend_origin: "https://chatgpt.com", account_routing_override: "NO_CONSTRAINT" },
    },
  ],
  default_account_id: "account-1",
  account_ordering: ["account-1"],
};

/** Other requests of clients: health, lists of models, token counts. Other paths are unknown here. */
export function answerSideQuestion({ method, path, bytes }: Question, outgoing: ServerResponse): void {
  const [plain = ""] = path.split("?");
  const tokens = Math.ceil(bytes.length / 4);
  if (method === "HEAD") outgoing.writeHead(200).end();
  else if (plain.endsWith("/count_tokens")) send(outgoing, { input_tokens: tokens });
  else if (plain.endsWith(":countTokens")) send(outgoing, { totalTokens: tokens });
  else if (method === "GET" && plain.endsWith("/models"))
    send(outgoing, { object: "list", data: [], models: [] });
  else if (plain.endsWith("/wham/accounts/check")) send(outgoing, ACCOUNTS);
  else outgoing.writeHead(404, { "content-type": "application/json" }).end("{}");
}

function send(outgoing: ServerResponse, body: unknown): void {
  outgoing.writeHead(200, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(body));
}
