import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { SessionRow } from "../../src/stores/store.ts";
import { type Provider, startProvider } from "../provider/provider.ts";
import { buildPackage, createPi, type Pi } from "./harness.ts";
import { OH_MY_PI, OLD_PI, PI, type Program } from "./programs.ts";
import { PROJECT, play, until } from "./script.ts";

/* Requests are counted in the store that all hosts share, by the SQLite that the program has itself. */

const folder = buildPackage();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SETTINGS = `{
  "schedule": { "mode": "eager", "prices": { "dollarsPerMillion": 3 } },
  "strategies": { "pruneProtect": 2000, "pruneMinimum": 500 }
}`;

async function open(
  program: Program,
  script = play(),
): Promise<{ pi: Pi; provider: Provider; data: string }> {
  const provider = await startProvider(script);
  const extensions = [join(folder, "dist/pi.js")];
  const pi = createPi({ program, url: provider.url, extensions, settings: SETTINGS, files: PROJECT });
  onTestFinished(async () => {
    await provider.close();
    pi.dispose();
  });
  return { pi, provider, data: join(dirname(pi.project), "home/.local/share/coppice") };
}

async function readRows(data: string): Promise<readonly SessionRow[]> {
  const store = await sqliteStore({ path: join(data, "journal.db") });
  const rows = await store.listSessions();
  await store.close();
  return rows;
}

type Figures = Readonly<Record<"input" | "cacheRead" | "cacheWrite" | "output", number>>;

/** The program's own data on its answers. */
function usageIn(pi: Pi): Figures {
  const sum = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  for (const { message } of pi.readSession().entries) {
    const { role, usage } = (message ?? {}) as { readonly role?: string; readonly usage?: Figures };
    if (role !== "assistant" || !usage) continue;
    sum.input += usage.input;
    sum.cacheRead += usage.cacheRead;
    sum.cacheWrite += usage.cacheWrite;
    sum.output += usage.output;
  }
  return sum;
}

describe.each([
  ["pi", PI],
  ["oh-my-pi", OH_MY_PI],
])("%s", (client, program) => {
  test("a session has its requests in the store, each once, also after a restart", async () => {
    const { pi, provider, data } = await open(program);
    const printed = await pi.run([until(12)]);
    expect(printed).not.toMatch(/coppice:|Warning/);
    const [first] = await readRows(data);
    expect(first).toMatchObject({ client, model: "m", folder: "project", requests: 13, answered: 13 });
    await pi.run([until(14)], "--continue");
    const [row, ...others] = await readRows(data);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      requests: provider.received.length,
      priced: 16,
      answered: 16,
      usage: usageIn(pi),
    });
    expect(row?.usage?.output).toBeGreaterThan(0);
    expect(row?.cuts).toBeGreaterThan(5);
    expect(row?.tokensWith).toBeLessThan(row?.tokensWithout ?? 0);
    // Only the cost of three, not of the whole session again.
    expect((row?.costWithout ?? 0) - (first?.costWithout ?? 0)).toBeLessThan(first?.costWithout ?? 0);
  });

  test("if the data folder is broken, the agent continues as usual, and the user is told once", async () => {
    const sound = await open(program);
    await sound.pi.run([until(8)]);
    const broken = await open(program);
    mkdirSync(dirname(broken.data), { recursive: true });
    writeFileSync(broken.data, "no folder");
    const printed = await broken.pi.run([until(8)]);
    expect(printed).toContain("done at 8");
    expect(printed.match(/coppice: .*/g)).toEqual([
      expect.stringMatching(/journal\.db: The store can't be opened, and it records no requests\. /),
    ]);
    const sent = ({ received }: Provider) =>
      received.map(({ messages }) =>
        JSON.stringify(messages)
          .replaceAll(/coppice-pi-\w+/g, "root")
          .replaceAll(/Wall time: [\d.]+/g, "Wall time:"),
      );
    expect(sent(broken.provider)).toEqual(sent(sound.provider));
  });
});

test("pi: a request that failed and was repeated counts once, with the usage of its answer", async () => {
  const script = play();
  let failures = 0;
  const { pi, provider, data } = await open(PI, (request) =>
    request.raw.includes("call_3") && failures++ === 0
      ? { fail: { status: 529, message: "overloaded" } }
      : script(request),
  );
  await pi.run([until(6)]);
  expect(failures).toBeGreaterThan(1);
  const [row] = await readRows(data);
  expect(row).toMatchObject({ requests: 7, answered: 7, usage: usageIn(pi) });
  expect(provider.received.length).toBe(8);
});

test("an older Node has no SQLite of its own: nothing is counted there, and nothing is reported", async () => {
  const { pi, data } = await open(OLD_PI);
  const printed = await pi.run([until(4)]);
  expect(printed).toContain("done at 4");
  expect(printed).not.toContain("coppice:");
  expect(existsSync(join(data, "statistics.json"))).toBe(true);
  expect(existsSync(join(data, "journal.db"))).toBe(false);
});
