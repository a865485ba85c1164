import { type Received, type Reply, startProvider } from "../../provider/provider.ts";
import type { Client } from "../client.ts";
import { createWorkplace } from "../project.ts";
import { runClient } from "../run-client.ts";
import { doneWith, promptFor } from "../work.ts";
import { playScenario, type Scenario } from "./scenarios.ts";

/** A client's request, and the model's answer. */
export interface RecordedRequest extends Pick<Received, "path" | "headers" | "bytes"> {
  readonly reply: Reply;
}

/** Runs a client directly with the provider, and records its requests. */
export async function recordSession(
  client: Client,
  scenario: Scenario,
  model?: string,
): Promise<readonly RecordedRequest[]> {
  const { name, calls } = scenario;
  const place = createWorkplace();
  const replies = new Map<Received, Reply>();
  const script = playScenario(client, scenario, place.cwd);
  const provider = await startProvider(async (request) => {
    const reply = await script(request);
    replies.set(request, reply);
    return reply;
  });
  try {
    // Qwen Code ends before a long report is completely written: the provider's data counts.
    const silent: Client = { ...client, report: () => ({ answer: undefined, session: undefined }) };
    const ran = await runClient(silent, {
      ...{ home: place.home, cwd: place.cwd, baseUrl: provider.url, prompt: promptFor("first", calls) },
      ...(model !== undefined && { model }),
    });
    const isDone = [...replies.values()].some(({ text }) => text === doneWith("first", calls));
    if (ran.code !== 0 || !isDone || provider.refused.length > 0)
      throw new Error(`${client.name}, ${name}: ${provider.refused.join("; ")} ${ran.stderr}`);
    return provider.received.map((request) => {
      const { path, headers, bytes } = request;
      return { path, headers, bytes, reply: replies.get(request) ?? {} };
    });
  } finally {
    await provider.close();
    place.dispose();
  }
}
