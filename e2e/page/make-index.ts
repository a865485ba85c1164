import type { IndexData, SessionRowData } from "../../src/page/index-data.ts";

const AGENTS = ["claude-code", "codex", "pi", "opencode"] as const;

/** An index of this many sessions: some without a price, some estimated, the first ten with a page. */
export function makeIndex(sessions: number): IndexData {
  const rows = Array.from({ length: sessions }, (_, i): SessionRowData => {
    const dollars = Math.round(1_000 * (1 + Math.sin(i * 12.9898)) * 20) / 1_000;
    const share = (i % 40) / 100;
    const isPriced = i % 9 !== 4;
    return {
      path: `/home/ada/.claude/projects/shop-${i % 5}/0199ab${i}.jsonl`,
      project: `/home/ada/work/shop-${i % 5}`,
      prompt: `Request number ${i}: please find out why the discount of order ${1_000 + i} is off by a cent, and fix it`,
      source: AGENTS[i % AGENTS.length] ?? "pi",
      models: i % 3 === 0 ? ["claude-sonnet-4-5", "claude-haiku-4-5"] : ["gpt-5.4"],
      requests: 5 + ((i * 37) % 400),
      start: Date.UTC(2026, 0, 1 + (i % 90), 9, 30),
      end: Date.UTC(2026, 0, 1 + (i % 90), 11, 30),
      ...(isPriced && { dollars, saved: dollars * share }),
      share: isPriced ? share : 0,
      estimated: i % 4 === 1,
      ...(i < 10 && { page: `${i + 1}-0199ab${i}.jsonl.html` }),
    };
  });
  return {
    version: 1,
    folder: "/home/ada/.claude/projects",
    rows,
    files: [
      {
        path: "/home/ada/.claude/projects/broken.jsonl.gz",
        why: "it is gzip, but damaged or cut off",
        isOther: false,
      },
      { path: "/home/ada/.claude/projects/empty.jsonl", why: "the file is empty", isOther: true },
      {
        path: "/home/ada/.claude/projects/package.json",
        why: "not a recorded session that Coppice can read",
        isOther: true,
      },
    ],
    redacted: false,
  };
}

/** The same with text that must never run. */
export function makeHostileIndex(texts: readonly string[]): IndexData {
  const { rows, ...rest } = makeIndex(texts.length);
  const hostile = rows.map((row, i) => {
    const text = texts[i] ?? "";
    return { ...row, path: `${i}${text}`, project: text, prompt: text, models: [text], page: text };
  });
  const files = texts.map((text) => ({ path: text, why: text, isOther: false }));
  return { ...rest, folder: texts.join(), rows: hostile, files };
}
