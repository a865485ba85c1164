import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { readAgentSettings } from "../../src/agent/agent-settings.ts";
import { makeAgentTools, measureOverhead } from "../../src/answers/agent-tools.ts";
import type { PartialConfig } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { parseConfig } from "../../src/config/parse.ts";
import type { ModelOverride, ModelOverrides, ReasoningRule } from "../../src/models/profile.ts";
import { findBuilt } from "./before.ts";
import type { NamedConfig } from "./policies.ts";
import type { Half } from "./sessions.ts";

export const HELP = `What each policy costs and loses on recorded sessions.

  npm run bench:economics -- [FILES and FOLDERS] [options]

Without files it runs on samples/discount-service.jsonl.

  --sessions PATH      a file or a folder; may be repeated
  --half a|b           only one half of the sessions, by a hash of the file's name: tune on a, report b
  --policies A,B       only these; a beginning of a name means all that begin so ("only" is every pass alone)
  --config '{…}'       tries a configuration: Coppice beside it and nothing else, unless --policies asks for more;
                       may be repeated; 'name={…}' gives it a name
  --before FOLDER      one more policy, "before": what the checkout in this folder decides, billed like the others.
                       It must be built (npm run build)
  --prices w,r,ttl     bills every model so: 1.25,0.1,5m. Without it each model has its own prices
  --reasoning RULE     every model has this rule: none, field, signed, bound
  --prefix N           tokens of system prompt and tool definitions, and everything else by our own estimate as well.
                       Without it requests are counted and cached as recorded usage shows
  --convention         the table of bills once more with a prefix of 8,000 tokens, input alone
  --overhead N         tokens that the definitions of the agent's tools add (as many as they have)
  --least N            sessions of fewer requests are left out (30)
  --workers N          threads
  --scenarios          some policies under other terms as well: caches, prices, bound reasoning
  --keep-warm          with the cache kept warm during pauses as well, on the sessions that have times
  --by-session         one line for each session and policy as well
  --json               the figures instead of tables
  --out FOLDER         writes tables and the picture there; a run of all policies does so in bench/results
  --page FILE          puts the tables into a page, between <!-- table: NAME --> and <!-- end -->

Quick tuning:

  npm run bench:economics -- ../shared/data/sessions --half a --prices 1.25,0.1,5m \\
    --config 'protect 20k={"strategies":{"pruneProtect":20000}}' --config '{"schedule":{"ingestCap":2000}}'
`;

/** What a worker has to know. Plain data. */
export interface Terms {
  readonly policies: readonly string[];
  readonly configs: readonly NamedConfig[];
  /** Another checkout, whose decisions are a policy too. */
  readonly before: string | undefined;
  readonly prices: ModelOverrides;
  readonly prefixTokens: number | "recorded";
  readonly overheadTokens: number;
  readonly least: number;
  /** By the old convention as well? */
  readonly convention: boolean;
  /** Under other terms as well? */
  readonly scenarios: boolean;
  /** With the cache kept warm as well? */
  readonly keepWarm: boolean;
}

export interface Options extends Terms {
  readonly help: boolean;
  readonly paths: readonly string[];
  readonly half: Half | undefined;
  readonly workers: number;
  readonly bySession: boolean;
  readonly json: boolean;
  readonly out: string | undefined;
  readonly page: string | undefined;
}

/** Throws with a sentence for people where the arguments make no sense. */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean", default: false },
      sessions: { type: "string", multiple: true, default: [] },
      half: { type: "string" },
      policies: { type: "string", default: "" },
      config: { type: "string", multiple: true, default: [] },
      before: { type: "string" },
      prices: { type: "string" },
      reasoning: { type: "string" },
      prefix: { type: "string", default: "recorded" },
      overhead: { type: "string", default: String(measureOverhead(makeAgentTools(AGENT_SETTINGS))) },
      least: { type: "string", default: "30" },
      workers: { type: "string", default: String(Math.min(4, availableParallelism())) },
      convention: { type: "boolean", default: false },
      scenarios: { type: "boolean", default: false },
      "keep-warm": { type: "boolean", default: false },
      "by-session": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      out: { type: "string" },
      page: { type: "string" },
    },
  });
  if (values.before !== undefined) findBuilt(values.before);
  const isWhole = values.policies === "" && values.config.length === 0 && !values.json;
  return {
    help: values.help,
    paths: [...positionals, ...values.sessions],
    half: readHalf(values.half),
    policies: values.policies.split(",").flatMap((name) => name.trim() || []),
    configs: values.config.map(readNamedConfig),
    before: values.before,
    prices: readPrices(values.prices, values.reasoning),
    prefixTokens: values.prefix === "recorded" ? "recorded" : readNumber("--prefix", values.prefix),
    overheadTokens: readNumber("--overhead", values.overhead),
    least: readNumber("--least", values.least),
    convention: values.convention,
    scenarios: values.scenarios,
    keepWarm: values["keep-warm"],
    workers: Math.max(1, readNumber("--workers", values.workers)),
    bySession: values["by-session"],
    json: values.json,
    page: values.page,
    out: values.out ?? (isWhole ? RESULTS : undefined),
  };
}

const AGENT_SETTINGS = readAgentSettings(DEFAULT_CONFIG);

const RESULTS = "bench/results";

function readHalf(half: string | undefined): Half | undefined {
  if (half === undefined || half === "a" || half === "b") return half;
  throw new Error(`--half is a or b, not ${half}`);
}

/** `name={…}`, or the configuration alone, which is then its own name. */
function readNamedConfig(text: string): NamedConfig {
  const at = text.indexOf("{");
  if (at < 0) throw new Error(`--config wants '{…}' or 'name={…}', not ${text}`);
  const json = text.slice(at);
  return { name: text.slice(0, at).replace(/=$/, "").trim() || json, config: readConfig(json) };
}

function readConfig(json: string): PartialConfig {
  const { config, issues } = parseConfig(JSON.parse(json), "--config");
  if (issues.length > 0) throw new Error(issues.map(({ message }) => message).join("\n"));
  return config;
}

/** `1.25,0.1,5m`; a TTL without a unit is in seconds. */
export function readPrices(text: string | undefined, reasoning: string | undefined): ModelOverrides {
  const rule = readReasoning(reasoning);
  if (text === undefined) return rule ? { "*": rule } : {};
  const [write = "", read = "", ttl = "5m"] = text.split(",");
  const [, amount = "", unit = "s"] = /^([\d.]+)([smh]?)$/.exec(ttl.trim()) ?? [];
  const cache = {
    write: readNumber("--prices", write),
    read: readNumber("--prices", read),
    ttl: readNumber("--prices", amount) * (UNITS[unit || "s"] ?? 1),
    minimumPrefix: 1_024,
  };
  return { "*": { ...cache, ...rule } };
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

function readReasoning(rule: string | undefined): ModelOverride | undefined {
  if (rule === undefined) return undefined;
  const reasoning = RULES.find((each) => each === rule);
  if (!reasoning) throw new Error(`--reasoning is one of ${RULES.join(", ")}, not ${rule}`);
  return { reasoning };
}

const RULES: readonly ReasoningRule[] = ["none", "field", "signed", "bound"];

function readNumber(option: string, text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number) || number < 0)
    throw new Error(`${option}: ${text || "nothing"} is no number`);
  return number;
}
