import { request } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { startStub } from "../../../src/cli/context/start-stub.ts";
import { findWire } from "../../../src/wires/find-wire.ts";

async function open() {
  const stub = await startStub();
  onTestFinished(() => stub.close());
  return stub;
}

const CASES = [
  ["/v1/messages", { model: "m", messages: [], tools: [{ name: "a" }] }],
  ["/v1/chat/completions", { model: "m", messages: [], tools: [{ function: { name: "a" } }] }],
  ["/v1/responses", { model: "m", input: [], tools: [{ name: "a" }] }],
  ["/v1beta/models/m:generateContent", { contents: [], tools: [{ functionDeclarations: [{ name: "a" }] }] }],
] as const;

test.each(CASES)("%s is answered with done, whole and as a stream", async (path, body) => {
  const stub = await open();
  for (const isStream of [false, true]) {
    const at = isStream && path.includes("generate") ? path.replace(":generate", ":streamGenerate") : path;
    const text = JSON.stringify({ ...body, stream: isStream });
    const response = await fetch(`${stub.url}${at}`, { method: "POST", body: text });
    expect(response.status).toBe(200);
    const reader = findWire("POST", at)?.openAnswer();
    const bytes = new Uint8Array(await response.arrayBuffer());
    reader?.push(bytes);
    expect(reader?.end()).toMatchObject({ ok: true, usage: { output: 1 }, calls: [] });
    expect(new TextDecoder().decode(bytes)).toContain("done");
  }
  await expect(stub.found).resolves.toMatchObject({ hasTools: true });
  expect(stub.requests).toHaveLength(2);
});

test("a question in a form gets its answer in that form, and is not the first request with tools", async () => {
  const stub = await open();
  const responseJsonSchema = {
    type: "object",
    properties: {
      why: { type: "string" },
      score: { type: "integer", minimum: 1, maximum: 100 },
      model: { enum: ["pro"] },
    },
  };
  const body = JSON.stringify({ contents: [], generationConfig: { responseJsonSchema } });
  const response = await fetch(`${stub.url}/v1beta/models/m:generateContent`, { method: "POST", body });
  const { candidates } = (await response.json()) as {
    candidates: { content: { parts: { text: string }[] } }[];
  };
  expect(JSON.parse(candidates[0]?.content.parts[0]?.text ?? "")).toEqual({
    why: "done",
    score: 100,
    model: "pro",
  });
  expect(stub.requests).toMatchObject([{ hasTools: false }]);
});

test("forwards nothing to other machines, and records what was requested", async () => {
  const stub = await open();
  const { port } = new URL(stub.url);
  const ask = (options: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ port, host: "127.0.0.1", ...options })
        .on("response", ({ statusCode }) => resolve(statusCode))
        .on("connect", ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end();
    });
  expect(await ask({ method: "CONNECT", path: "telemetry.example:443" })).toBe(403);
  expect(await ask({ method: "GET", path: "http://updates.example/latest" })).toBe(403);
  expect([...stub.refused].sort()).toEqual(["telemetry.example", "updates.example"]);
});
