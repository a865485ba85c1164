import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore } from "../../../../src/stores/open-store.ts";
import { makeBody } from "../bodies.ts";
import { type Respond, respondWithEvents } from "../upstream.ts";
import { setStage } from "./stage.ts";

/** Each has a form that no rule knows: the only protection is never to write it. */
const KEYS = {
  authorization: "Q7nfWZ0d5uZc1",
  "x-api-key": "hH2mVt9pPq4Lk",
  "x-goog-api-key": "b6TTw1rXzYe0s",
  cookie: "c9JfKs2mRuVd8",
  query: "u4DkPl7qZxGb3",
  text: "t5GhNm8wSdFc6",
} as const;

const PATHS = ["/v1/messages", "/v1/models", "/healthz", "/nowhere"] as const;
const BODY = makeBody(12, `Look. ${KEYS.text}`);

let folder: string;
let written: string[];
const realError = console.error;
const realWarn = console.warn;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-secrets-"));
  written = [];
  console.error = (...all: readonly unknown[]) => void written.push(all.join(" "));
  console.warn = console.error;
});
afterEach(() => {
  console.error = realError;
  console.warn = realWarn;
  rmSync(folder, { recursive: true });
});

function search(where: string, text: string): void {
  for (const [name, key] of Object.entries(KEYS))
    expect(text.includes(key), `${name} is in ${where}`).toBe(false);
}

/** A provider that repeats everything that it was sent, as some gateways do. */
const repeats: Respond = (request, outgoing) => {
  const isPruned = request.method === "POST" && request.body.length < Buffer.byteLength(BODY);
  if (!isPruned) return respondWithEvents(request, outgoing);
  outgoing.writeHead(400).end(JSON.stringify({ path: request.path, headers: request.headers }));
};

describe.each<[string, Respond | "unreachable"]>([
  ["answers", respondWithEvents],
  ["refuses what was pruned, and repeats what it was sent", repeats],
  ["breaks off", (_, outgoing) => void outgoing.destroy()],
  ["can't be reached", "unreachable"],
])("keys are found nowhere when a provider %s", (_, respond) => {
  test("not in the file, its log, the reports, the console, nor in errors", async () => {
    const path = join(folder, "journal.db");
    const logLines: string[] = [];
    const store = await openStore(
      { kind: "sqlite", path },
      { report: ({ message, where }) => logLines.push(`${where} ${message}`) },
    );
    const gone = "http://127.0.0.1:1";
    const isReachable = respond !== "unreachable";
    const { upstream, proxy, complaints } = await setStage(isReachable ? respond : undefined, {
      store,
      ...(!isReachable && { upstreams: { anthropic: gone, openai: gone } }),
    });
    const answers: string[] = [];
    for (const each of PATHS) {
      const answer = await fetch(`${proxy.url}${each}?key=${KEYS.query}&alt=sse`, {
        method: each === "/v1/messages" ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${KEYS.authorization}`,
          "x-api-key": KEYS["x-api-key"],
          "x-goog-api-key": KEYS["x-goog-api-key"],
          cookie: `session=${KEYS.cookie}; a=b`,
          "user-agent": "secrets-test/1.0",
        },
        ...(each === "/v1/messages" && { body: BODY }),
      });
      answers.push(`${answer.status} ${await answer.text().catch(String)}`);
    }
    if (isReachable) {
      // It was sent, so it could have been found.
      expect(upstream.arrived[0]?.headers["x-api-key"]).toBe(KEYS["x-api-key"]);
      expect(upstream.arrived[0]?.path).toContain(KEYS.query);
    }
    if (respond === respondWithEvents) {
      await expect.poll(async () => (await store.listSessions()).length).toBe(1);
      search("the sums", JSON.stringify([await store.listSessions(), await store.listDays()]));
    }
    const { text: _, ...credentials } = KEYS;
    for (const page of ["/metrics", "/coppice/status", "/coppice/sessions/"]) {
      const shown = await (await fetch(`${proxy.url}${page}`)).text();
      for (const [name, key] of Object.entries(credentials))
        expect(shown.includes(key), `${name} is on ${page}`).toBe(false);
    }
    if (respond === repeats) expect(complaints.join()).toMatch(/refused a pruned request.*\[redacted\]/);
    search("the answers", answers.join());
    search("the complaints", [...complaints, ...logLines].join());
    search("the console", written.join());
    const files = readdirSync(folder);
    expect(files).toContain("journal.db");
    expect(files.some((file) => file.endsWith("-wal"))).toBe(true);
    for (const file of files) search(file, readFileSync(join(folder, file), "latin1"));
    await store.close();
    for (const file of readdirSync(folder)) search(file, readFileSync(join(folder, file), "latin1"));
  });
});
