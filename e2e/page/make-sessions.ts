import type { PartialConfig } from "../../src/config/config.ts";
import type { ReportData } from "../../src/page/data.ts";
import { buildReportData } from "../../src/page/report-data.ts";
import type { Recording } from "../../src/recordings/recording.ts";

const MODEL = "claude-sonnet-4-5";
const EAGER = { schedule: { mode: "eager" } } as const;

interface Call {
  readonly name: string;
  readonly input: unknown;
  readonly result: string;
}

/** A session of chat messages: a question, then steps of calls and their results, then an answer. */
function play(
  question: string,
  steps: readonly (readonly Call[])[],
  answer: string,
  over: Partial<Recording> = {},
): ReportData {
  const messages: unknown[] = [{ role: "user", content: question }];
  for (const [i, calls] of steps.entries()) {
    const id = (n: number): string => `call_${i}_${n}`;
    messages.push({
      role: "assistant",
      content: null,
      tool_calls: calls.map(({ name, input }, n) => ({
        id: id(n),
        type: "function",
        function: { name, arguments: JSON.stringify(input) },
      })),
    });
    for (const [n, { result }] of calls.entries())
      messages.push({ role: "tool", tool_call_id: id(n), content: result });
  }
  messages.push({ role: "assistant", content: answer });
  const meta = messages.map((_, i) => ({
    time: 1_768_900_000_000 + i * 1_000,
    model: over.models?.[0] ?? MODEL,
  }));
  const recording: Recording = {
    source: "codex",
    format: "openai-chat",
    models: [MODEL],
    asides: [],
    issues: [],
    skipped: 0,
    ...over,
    segments: [{ messages, meta, carried: 0 }],
  };
  return buildReportData(recording, { config: EAGER });
}

/** Two reads of a file, the first of which is cut, and a needle that only the first one has. */
export function makeSmallSession(): ReportData {
  const read = (text: string): Call => ({ name: "read", input: { path: "src/a.ts" }, result: text });
  const lines = (word: string): string => `export const ${word} = 1;\n`.repeat(60);
  return play(
    "Please rename the thing.",
    [
      [read(`${lines("oldName")}// needle in the haystack\n`)],
      [{ name: "edit", input: { path: "src/a.ts", old: "oldName", new: "newName" }, result: "done" }],
      [read(lines("newName"))],
    ],
    "Renamed.",
  );
}

export const HOSTILE = [
  "</script><script>window.hacked = 1</script>",
  "<img src=x onerror='window.hacked = 2'>",
  "<!--<script>window.hacked = 3",
  "javascript:window.hacked=4",
  "<svg onload=window.hacked=5><style>*{display:none}</style>",
  '"><iframe srcdoc="<script>parent.hacked=6</script>"></iframe>',
] as const;

/**
 * Hostile text in every possible place: messages, tools, inputs, results, paths in reasons, names, the session
 * itself.
 */
export function makeHostileSession(): ReportData {
  const text = HOSTILE.join("\n");
  const call = (i: number): Call => ({
    name: `read${HOSTILE[i % HOSTILE.length]}`,
    input: { path: `src/${HOSTILE[0]}.ts`, [HOSTILE[1]]: text },
    result: `${text}\n`.repeat(20),
  });
  const read = (i: number): Call => ({
    name: "read",
    input: { path: `src/${HOSTILE[i]}.ts` },
    result: `${text}\n`.repeat(30),
  });
  return play(text, [[call(0), call(1)], [call(0), call(2)], [read(1)], [read(1)]], text, {
    session: HOSTILE[0],
    models: [HOSTILE[1]],
    issues: [{ code: "broken-line", message: text, where: text, severity: "warning" }],
    skipped: 1,
  });
}

/** 32 steps of 80 calls: more than 5,000 parts; every hundredth result is a long one. */
export function makeLongSession(): ReportData {
  const steps = Array.from({ length: 32 }, (_, step) =>
    Array.from({ length: 80 }, (_, n): Call => {
      const number = step * 80 + n;
      const line = `result ${number} of the long session\n`;
      return {
        name: "fetch_row",
        input: { row: number },
        result: line.repeat(number % 100 === 0 ? 200 : (number % 7) + 1),
      };
    }),
  );
  return play("Fetch all rows.", steps, "All rows are there, and the last word is unmistakable.");
}

/** Requests in this many segments, each after a compaction or in its own conversation. */
export function makeSegments(
  requests: number,
  segments: number,
  kind: "compactions" | "conversations",
  config: PartialConfig = {},
): ReportData {
  const each = Math.ceil(requests / segments);
  let time = 1_768_900_000_000;
  const segment = (index: number) => {
    const messages: unknown[] = [{ role: "user", content: `Part ${index + 1} of the work, please.` }];
    for (let i = 1; i < Math.min(each, requests - index * each); i++) {
      const id = `call_${index}_${i}`;
      const input = JSON.stringify({ path: `src/file-${i % 4}.ts` });
      messages.push(
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id, type: "function", function: { name: "read", arguments: input } }],
        },
        {
          role: "tool",
          tool_call_id: id,
          content: `line ${index} ${i} of the file\n`.repeat(40 + 20 * (i % 5)),
        },
      );
    }
    messages.push({ role: "assistant", content: "Done." });
    const meta = messages.map(() => {
      time += 5_000;
      return { time, model: MODEL };
    });
    const isSeparate = kind === "conversations" && index > 0;
    const carried = kind === "compactions" && index > 0 ? 1 : 0;
    return { messages, meta, carried, ...(isSeparate && { separate: true as const }) };
  };
  const recording: Recording = {
    source: "claude-code",
    format: "openai-chat",
    project: "/home/ada/shop",
    models: [MODEL],
    asides: [],
    issues: [],
    skipped: 0,
    segments: Array.from({ length: segments }, (_, index) => segment(index)),
  };
  return buildReportData(recording, { config: { ...EAGER, ...config } });
}

export function makeEmptySession(): ReportData {
  return buildReportData({
    source: "pi",
    format: "openai-chat",
    models: [],
    segments: [],
    asides: [],
    issues: [],
    skipped: 0,
  });
}
