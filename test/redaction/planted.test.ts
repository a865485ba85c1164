import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import pc from "picocolors";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { GROUPINGS } from "../../src/analysis/group-analyses.ts";
import { isRecord } from "../../src/basics/json.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { type AnalysisData, buildAnalysisData } from "../../src/page/analysis-data.ts";
import { buildIndexData, type IndexData } from "../../src/page/index-data.ts";
import { renderAnalysis } from "../../src/page/render-analysis.ts";
import { renderIndex } from "../../src/page/render-index.ts";
import { renderReport } from "../../src/page/render-report.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { findFew, findSecrets } from "../../src/redaction/find-secrets.ts";
import { redact, redactValue } from "../../src/redaction/redact.ts";
import { render, type Script, scripts } from "../generate.ts";
import { ownSeed } from "../own-seed.ts";
import { samples } from "../recordings/samples.ts";
import { FORMS, type Plant, type PlantedField, plantedFields, plants } from "./plants.ts";

/** Each with other secrets at other places. */
const RUNS = Number(process.env.LAW_RUNS ?? 2);
/** No text may contain this many consecutive characters of a secret. */
const TRACE = 8;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-planted-"));
  vi.stubEnv("XDG_CACHE_HOME", join(folder, "cache"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
  vi.unstubAllEnvs();
});

describe("one rule for each kind of secret", () => {
  test.each(Object.entries(FORMS))("%s", (_, form) => {
    fc.assert(
      fc.property(form, ({ secret, text }) => {
        for (const shown of [text, `so:\n${text}\nend`, `\u001b[31m${text}\u001b[0m`])
          expect(findTraces(redact(shown), [secret]), redact(shown)).toEqual([]);
        expect(redact(redact(text))).toBe(redact(text));
        expect(findFew(text)).toEqual(findSecrets(text));
      }),
      { numRuns: 40 },
    );
  });
});

describe("in every kind of recording", () => {
  const all = Object.entries(samples).flatMap(([source, texts]) =>
    texts.map((text, i) => [`${source} ${i + 1}`, text] as const),
  );
  test.each(all)("%s", async (name, sample) => {
    const planted = fc.array(fc.tuple(fc.nat(), plants), { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        planted,
        fc.array(plantedFields, { minLength: 3, maxLength: 3 }),
        async (texts, fields) => {
          const { text, secrets } = plantInto(sample, texts, fields);
          expect(await findInOutputs(text, secrets)).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true, ...ownSeed(name) },
    );
  });
});

describe("in every format", () => {
  const formats: readonly FormatName[] = [
    "openai-chat",
    "anthropic-messages",
    "openai-responses",
    "opencode",
    "ai-sdk",
    "gemini",
    "openai-agents",
    "pi",
  ];
  test.each(formats)("%s", async (format) => {
    await fc.assert(
      fc.asyncProperty(
        scripts({ reasoning: "plain" }),
        fc.array(plants, { minLength: 12, maxLength: 12 }),
        fc.array(plantedFields, { minLength: 4, maxLength: 4 }),
        async (script, texts, fields) => {
          const text = JSON.stringify(render(plantScript(script, texts, fields), format).messages, null, 1);
          const secrets = [...texts.map(({ secret }) => secret), ...fields.flatMap((field) => field.secrets)];
          expect(await findInOutputs(text, secrets)).toEqual([]);
        },
      ),
      { numRuns: RUNS, endOnFailure: true, ...ownSeed(format) },
    );
  });
});

test("the search finds existing traces", () => {
  expect(findTraces("x hunter22s y", ["hunter22secret"])).toEqual(["hunter22secret"]);
  expect(findTraces('{\\"a\\": \\"say \\\\\\"hunter\\\\\\" twice\\"}', ['say "hunter" twice'])).toHaveLength(
    1,
  );
});

/** All output and files of the commands for a session with `--redact`; the secrets visible in it. */
async function findInOutputs(text: string, secrets: readonly string[]): Promise<readonly string[]> {
  const outputs = await listOutputs(text, secrets);
  return outputs.flatMap(({ name, shown }) =>
    findTraces(shown, secrets).map((secret) => `${name}: ${secret}`),
  );
}

async function listOutputs(
  text: string,
  secrets: readonly string[],
): Promise<readonly { readonly name: string; readonly shown: string }[]> {
  expect(parseRecording(text).ok).toBe(true);
  expect(findTraces(text, secrets).length, "they are planted").toBeGreaterThan(secrets.length / 2);
  // The folder of a project, as Claude Code names it.
  const project = join(folder, "-home-someuserhere-shop");
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project);
  const file = join(project, "session.json");
  writeFileSync(file, text);
  const outputs: { name: string; shown: string }[] = [];
  const run = async (...args: string[]): Promise<string> => {
    const { code, shown, notes } = await runCommand(args);
    expect(code, `${args.join(" ")}: ${notes}`).toBe(0);
    return shown;
  };
  const look = async (...args: string[]): Promise<string> => {
    const shown = await run(...args, "--redact");
    outputs.push({ name: args.join(" "), shown });
    expect(shown).not.toContain("someuserhere");
    return shown;
  };
  const explainAll = async (of: string): Promise<void> => {
    await look("diff", of);
    const { edits }: { edits: { ref: string }[] } = JSON.parse(await look("diff", of, "--json"));
    const [first] = edits;
    if (!first) return;
    await look("explain", of, first.ref);
    await look("explain", of, first.ref, "--json");
  };
  const data = JSON.parse(await look("report", file, "--json"));
  const assets = { script: "", style: "", chartStyle: "" };
  outputs.push({ name: "the page", shown: renderReport(data, assets) });
  await look("analyze", file);
  const analysis = JSON.parse(await look("analyze", file, "--json"));
  for (const by of GROUPINGS) await look("analyze", file, "--by", by);
  const pages = new Map([[analysis.sessions[0].path, "1.html"]]);
  const index = buildIndexData(analysis, { folder: project, pages, files: [], redacted: true });
  outputs.push({ name: "the index", shown: renderIndex(redactValue(index) as IndexData, assets) });
  const groups = { zone: "UTC", today: "2026-11-17", groupBy: () => analysis.groups, pages, redacted: true };
  outputs.push({
    name: "the page of the analysis",
    shown: renderAnalysis(redactValue(buildAnalysisData(analysis, groups)) as AnalysisData, assets),
  });
  await look("report", project, "--json");
  await explainAll(file);
  await look("prune", file, "--dry-run", "--preset", "compact");
  const masked = join(folder, "masked.json");
  await look("prune", file, "-o", masked, "--preset", "compact", "--shake", "--json");
  for (const written of [masked, `${masked}.restore.json`])
    outputs.push({ name: written, shown: readFileSync(written, "utf8") });
  // Pruned before anything was masked.
  const pruned = join(folder, "pruned.json");
  await run("prune", file, "-o", pruned, "--preset", "compact");
  await explainAll(pruned);
  for (const each of [masked, pruned]) rmSync(`${each}.restore.json`);
  expect(existsSync(`${pruned}.restore.json`)).toBe(false);
  return outputs;
}

async function runCommand(
  args: readonly string[],
): Promise<{ readonly code: unknown; readonly shown: string; readonly notes: string }> {
  let shown = "";
  let notes = "";
  const paint = pc.createColors(false);
  process.exitCode = 0;
  await runCli(args, {
    print: (text) => {
      shown += text;
    },
    note: (text) => {
      notes += `${text}\n`;
    },
    status: () => undefined,
    columns: 120,
    isTerminal: false,
    paint,
    paintNote: paint,
  });
  return { code: process.exitCode, shown, notes };
}

/** The secrets with a trace in the text: plain, in JSON, or in JSON inside JSON. */
function findTraces(shown: string, secrets: readonly string[]): readonly string[] {
  return secrets.filter(
    (secret) => holdsPiece(shown, secret, HALF, HALF) && holdsPiece(shown, secret, TRACE, 1),
  );
}

/** Any trace of a secret contains one of the secret's pieces of this length. */
const HALF = TRACE / 2;

function holdsPiece(shown: string, secret: string, length: number, stride: number): boolean {
  for (let at = 0; at + length <= secret.length; at += stride)
    for (let piece = secret.slice(at, at + length), depth = 0; depth < 3; depth++) {
      if (shown.includes(piece)) return true;
      piece = JSON.stringify(piece).slice(1, -1);
    }
  return false;
}

/** Puts the texts into the session's own texts, and the fields into the inputs of its calls. */
function plantInto(
  sample: string,
  texts: readonly (readonly [number, Plant])[],
  fields: readonly PlantedField[],
): { readonly text: string; readonly secrets: readonly string[] } {
  const isDocument = isJson(sample);
  const secrets = new Set<string>();
  let seen = 0;
  let given = 0;
  const plant = (value: unknown, name: string): unknown => {
    if (typeof value === "string") {
      if (isJson(value)) return JSON.stringify(plant(JSON.parse(value), name));
      if (!/\s/.test(value) && name !== "path") return value;
      const [, { secret, text }] = texts[seen++ % texts.length] ?? [0, { secret: "", text: "" }];
      secrets.add(secret);
      const lines = value.split("\n");
      const at = (texts[seen % texts.length]?.[0] ?? 0) % (lines.length + 1);
      return name === "path" ? value : [...lines.slice(0, at), text, ...lines.slice(at)].join("\n");
    }
    if (Array.isArray(value)) return value.map((item) => plant(item, name));
    if (!isRecord(value)) return value;
    const copy = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plant(item, key)]));
    const field = "path" in copy ? fields[given++ % fields.length] : undefined;
    if (!field) return copy;
    for (const secret of field.secrets) secrets.add(secret);
    return { ...copy, [field.name]: field.value };
  };
  const text = isDocument
    ? JSON.stringify(plant(JSON.parse(sample), ""), null, 2)
    : sample
        .split("\n")
        .map((line) => (line === "" ? "" : JSON.stringify(plant(JSON.parse(line), ""))))
        .join("\n");
  return { text, secrets: [...secrets] };
}

function isJson(text: string): boolean {
  try {
    return /^\s*[[{]/.test(text) && typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

/** The texts rotate through: prompts, the agent's text and reasoning, inputs, todos, results, errors. */
function plantScript(script: Script, texts: readonly Plant[], fields: readonly PlantedField[]): Script {
  let next = 0;
  let given = 0;
  const more = (text: string): string => `${text}\n${texts[next++ % texts.length]?.text}\nand so on`;
  const turns = script.turns.map((turn) => ({
    ...turn,
    prompt: more(turn.prompt),
    steps: turn.steps.map((step) => ({
      ...step,
      ...(step.text !== undefined && { text: more(step.text) }),
      ...(step.thinking && { thinking: { ...step.thinking, text: more(step.thinking.text) } }),
      calls: step.calls.map((call) => {
        const field = fields[given++ % fields.length];
        const todos = [{ content: more("do it"), status: "pending" }];
        const command = { command: more(String(call.input.command ?? "")).replaceAll("\n", "; ") };
        return {
          ...call,
          input: {
            ...call.input,
            ...(call.tool === "todowrite" && { todos }),
            ...(call.tool === "bash" && !command.command.includes("BEGIN") && command),
            ...(field && { [field.name]: field.value }),
          },
          output: more(call.output),
          // No rule finds a secret whose halves are in two texts.
          split: false,
        };
      }),
    })),
  }));
  // So that each is there at least once.
  const rest = texts.slice(next).map(({ text }) => text);
  return rest.length === 0
    ? { turns }
    : {
        turns: [
          ...turns,
          {
            prompt: rest.join("\n"),
            image: false,
            steps: [{ text: "done", thinking: undefined, unknown: false, calls: [], pause: 1_000 }],
          },
        ],
      };
}
