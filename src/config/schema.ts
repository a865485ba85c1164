import * as z from "zod";
import { type GlobOptions, isQuickGlob } from "../expressions/globs.ts";
import type { OwnProtocol } from "../formats/text-protocols/own-protocol.ts";
import type { ReasoningRule } from "../models/profile.ts";
import { COMMAND_GLOB } from "../protection/protected-commands.ts";
import { SCHEDULE_MODES } from "../schedule/choose-cut.ts";
import { PRESET_NAMES } from "../strategies/pass-setting.ts";
import { compileLineExpression } from "../strategies/summaries/line-expression.ts";
import type { SummaryRule } from "../strategies/summaries/user-rules.ts";
import { TRIM_STRATEGIES } from "../strategies/trim/trim-options.ts";
import type { ToolKind } from "../tool-kinds/tool-use.ts";
import { NOTIFICATIONS, type PartialConfig, type PriceOverride, type UserToolKind } from "./config.ts";
import { FLAG_SHAPE, passShape } from "./pass-settings.ts";

/** A schema for each key of T. With `satisfies`, the compiler reports keys that the type or the schema lacks. */
type Shape<T> = { readonly [K in keyof T]-?: z.ZodType<T[K]> };
type Part<T, K extends keyof T> = NonNullable<T[K]>;
type Tools = Part<PartialConfig, "tools">;
type Strategies = Part<PartialConfig, "strategies">;

const TOOL_GLOB = { dot: true, nocase: true };
const QUICK_GLOB = "a glob that is quick on every name";

const flag = (description: string) => z.boolean().exactOptional().describe(description);
const count = (description: string, least = 0) => z.int().min(least).exactOptional().describe(description);
const share = (description: string) => z.number().min(0).max(1).exactOptional().describe(description);
const amount = (description: string) => z.number().min(0).exactOptional().describe(description);
const name = (description: string) => z.string().min(1).exactOptional().describe(description);
const names = (description: string) => z.array(z.string().min(1)).exactOptional().describe(description);
const glob = (options: GlobOptions) =>
  z
    .string()
    .min(1)
    .refine((text) => isQuickGlob(text, options), QUICK_GLOB);
const globs = (description: string, options: GlobOptions = TOOL_GLOB) =>
  z.array(glob(options)).exactOptional().describe(description);
const choice = <const V extends readonly string[]>(description: string, values: V) =>
  z.enum(values).exactOptional().describe(description);
const group = <S extends z.ZodRawShape>(description: string, shape: S) =>
  z.strictObject(shape).exactOptional().describe(description);

const toolKind = z.enum({
  read: "read",
  write: "write",
  edit: "edit",
  delete: "delete",
  list: "list",
  search: "search",
  shell: "shell",
  fetch: "fetch",
  "web-search": "web-search",
  todo: "todo",
  task: "task",
  skill: "skill",
  context: "context",
  other: "other",
} satisfies { [K in ToolKind]: K });

const reasoningRule = z.enum({ none: "none", field: "field", signed: "signed", bound: "bound" } satisfies {
  [K in ReasoningRule]: K;
});

const price = {
  write: amount("Price of a token written to the cache, relative to plain input."),
  read: amount("Price of a token read from the cache, relative to plain input."),
  ttl: amount("Milliseconds that a prefix stays cached after its last use."),
  minimumPrefix: count("Tokens below which a prefix is not cached."),
  dollarsPerMillion: amount("US dollars for one million plain input tokens."),
  window: count("Context window in tokens.", 1),
  reasoning: reasoningRule
    .exactOptional()
    .describe(
      "What the provider wants of reasoning in history: nothing, that the field is there, signed blocks left as they are, or signed blocks bound to the text before them.",
    ),
} satisfies Shape<PriceOverride>;

/** Prices without a model id are those of `*`: `{ read: 0.05 }` means `{ "*": { read: 0.05 } }`. */
const prices = z
  .object(price)
  .catchall(z.strictObject(price))
  .superRefine((written, context) => {
    const slow = Object.keys(written).filter((model) => !isQuickGlob(model, { bash: true, nocase: true }));
    for (const model of slow) context.addIssue({ code: "custom", path: [model], message: QUICK_GLOB });
  })
  .transform((written) => {
    const entries = Object.entries<unknown>(written);
    const plain = entries.filter(([, value]) => typeof value !== "object");
    const byModel = Object.fromEntries(entries.filter(([, value]) => typeof value === "object"));
    return plain.length === 0
      ? byModel
      : { ...byModel, "*": Object.assign(Object.fromEntries(plain), byModel["*"]) };
  })
  .pipe(z.record(z.string(), z.strictObject(price)));

const summaryRule = z.strictObject({
  tool: glob(TOOL_GLOB).describe("The tool's name, or a glob over names."),
  keep: z
    .union([
      z
        .strictObject({
          first: count("Lines kept at the start."),
          last: count("Lines kept at the end."),
        })
        .refine(({ first, last }) => first !== undefined || last !== undefined, "first, last or both"),
      z.strictObject({
        lines: z
          .string()
          .refine(
            (source) => compileLineExpression(source) !== undefined,
            "a regular expression that is quick on every line",
          )
          .describe("Lines that match stay."),
      }),
      z.strictObject({ template: z.string().describe("A text that stands for the result.") }),
    ])
    .describe("What stays: the ends, the lines that match, or a text of your own."),
} satisfies Shape<SummaryRule>);

const userToolKind = z.strictObject({
  names: z.array(glob(TOOL_GLOB)).min(1).describe("Names of the tools."),
  kind: toolKind.describe("What they do."),
  path: name("The input field that holds the path."),
  command: name("The input field that holds the command."),
  url: name("The input field that holds the url."),
  query: name("The input field that holds the pattern or query."),
  snapshot: name(
    "What a result is a picture of as a whole, in a word: `page`. Of those with the same word and the same identifying fields the newest stays.",
  ),
  identifying: names("Input fields that stay when an input shrinks."),
} satisfies Shape<UserToolKind>);

const mark = (description: string) => z.string().min(1).describe(description);

const ownProtocol = z.strictObject({
  call: z
    .strictObject({
      begin: mark("What stands before the command."),
      end: mark(
        "What stands behind it. Without it, the command goes on to the end of the answer.",
      ).exactOptional(),
    } satisfies Shape<OwnProtocol["call"]>)
    .describe("The command in an answer of the model."),
  result: z
    .strictObject({
      begin: mark("What the message or text block with the output begins with."),
      end: mark(
        "What stands behind the output. Without it, the output goes on to the end of the text.",
      ).exactOptional(),
    } satisfies Shape<OwnProtocol["result"]>)
    .describe("The output in the user message behind that answer. The marks themselves always stay."),
  tool: name("The tool that the command is for; unless given, `bash`."),
  field: name("The input field of that tool that holds the command; unless given, `command`."),
} satisfies Shape<OwnProtocol>);

const tools = group("What the agent is offered.", {
  settings: group("What the agent may cut, and how it is told.", {
    protectedTools: globs(
      "More tools whose results nothing may cut; names or globs, added to the built-in ones.",
    ),
    protectedCommands: globs(
      "Commands whose output nothing may cut, in any agent's shell: `npm test*`. Globs over each command of a line, with its arguments; `*` stands for anything.",
      COMMAND_GLOB,
    ),
    enableAssistantMessagePruning: flag("Assistant texts have refs and can be cut."),
    enableReasoningPruning: flag("Reasoning has refs and can be cut."),
    enableVisibleAssistantHashes: flag(
      "The refs of a step's text and reasoning are shown on its last tool result.",
    ),
  } satisfies Shape<Part<Tools, "settings">>),
  discard: group("Cutting a part, leaving a placeholder.", {
    enabled: flag("Offers the agent `context_prune` with the action discard."),
  } satisfies Shape<Part<Tools, "discard">>),
  distill: group("Cutting a part, leaving the agent's summary.", {
    enabled: flag("Offers the agent `context_prune` with the action distill."),
    showDistillation: flag("The notice after a distill shows the summary."),
  } satisfies Shape<Part<Tools, "distill">>),
  replace: group("Cutting a stretch of text, leaving another.", {
    enabled: flag("Offers the agent `context_prune` with the action replace."),
  } satisfies Shape<Part<Tools, "replace">>),
  recall: group("Getting back what was cut.", {
    enabled: flag("Offers the agent `context_recall`."),
  } satisfies Shape<Part<Tools, "recall">>),
  todoReminder: group("A note at the end of the context: pressure, what can be cut, open todos.", {
    enabled: flag("Writes the reminder."),
    initialTurns: count("Turns without a todo write before the first reminder.", 1),
    repeatTurns: count("Turns between reminders.", 1),
    stuckTaskTurns: count("Turns in progress after which a task is named as stuck.", 1),
  } satisfies Shape<Part<Tools, "todoReminder">>),
  automataMode: group('A reflection prompt, once a user message contains the word "automata".', {
    enabled: flag("Writes the prompt."),
    initialTurns: count("Turns between prompts.", 1),
  } satisfies Shape<Part<Tools, "automataMode">>),
} satisfies Shape<Tools>);

const strategies = group("What is cut without anyone asking for it.", {
  purgeErrors: group("Inputs of old failed calls shrink to the fields that say what the call was about.", {
    enabled: flag("Shrinks them. Off: `spent.inputs` leaves them alone too."),
    ...passShape("strategies.purgeErrors"),
  } satisfies Shape<Part<Strategies, "purgeErrors">>),
  aggressivePruning: group("What a newer fact makes stale: a preset, and flags that differ from it.", {
    preset: choice("The flags to start from.", PRESET_NAMES),
    ...FLAG_SHAPE,
  } satisfies Shape<Part<Strategies, "aggressivePruning">>),
  intelligentPruning: flag(
    "Tool results become summaries by kind of tool. Off: an old one becomes a plain `[Tool output pruned - N chars]`, and neither `spent.results` nor `schedule.ingestCap` shortens any before.",
  ),
  spent: group("Text that the agent no longer needs shrinks long before it is old. Ages are in steps.", {
    enabled: flag("Shrink what is spent."),
    ...passShape("strategies.spent"),
  } satisfies Shape<Part<Strategies, "spent">>),
  pruneProtect: count(
    "The newest tokens of tool results that are not yet old. Bounds what goes by age: summaries, attachments, code blocks; not `spent`, `schedule.ingestCap`, what a newer call supersedes, nor what goes under pressure.",
  ),
  ...passShape("strategies"),
  compactThreshold: share(
    "Share of the window from which on everything that can go goes, as far as earlier cuts have paid for the rewrite; if the request would not fit, in any case.",
  ),
  shake: group("Dropping whole results and large blocks.", {
    protectTokens: count("The newest tokens of the context that stay as they are."),
    minSavings: count("Tokens that a shake must save, or nothing is shaken."),
    fenceMinTokens: count("Tokens below which a fenced or XML block stays."),
    protectedTools: globs("More tools whose results a shake leaves alone; names or globs, added to `skill`."),
  } satisfies Shape<Part<Strategies, "shake">>),
  trim: group("Trimming to a budget.", {
    strategy: choice("What goes first: the least important, or the oldest.", TRIM_STRATEGIES),
    preserveRecentTurns: count("The newest turns, trimmed last."),
    maxAge: count("Turns after which `age-based` counts a result as old."),
    reservedOutputTokens: count("Tokens of the window left free for the answer."),
  } satisfies Shape<Part<Strategies, "trim">>),
} satisfies Shape<Strategies>);

const schedule = group("When it is cut.", {
  mode: choice(
    "`rent-or-buy` waits until carrying stale text has cost as much as rewriting the cache; `eager` cuts at once; `pressure` waits for `compactThreshold`.",
    SCHEDULE_MODES,
  ),
  model: z
    .string()
    .min(1)
    .nullable()
    .exactOptional()
    .describe("The model whose window and prices count; `null`: the session's own."),
  prices: prices
    .exactOptional()
    .describe(
      'What differs from the price library, for the session\'s model, or by glob over model ids: `{ "claude-*": { "read": 0.05 } }`.',
    ),
  ...passShape("schedule"),
  requestedLimit: count(
    "What a cut that the agent asked for may cost at once, in tokens of plain input; a more expensive one waits for the next cut.",
  ),
  dropReasoning: flag(
    "On models that bind reasoning to the text before it: at the start of a turn, a cut that pays for itself may take the reasoning of finished turns with it. Off: only a full window may.",
  ),
  ownMark: flag(
    "Where a provider caches at marks and the client leaves one free: set one more, so that a cut rewrites less. Off: the client's marks are all there is.",
  ),
} satisfies Shape<Part<PartialConfig, "schedule">>);

/** What a file, the environment or a caller may set. No key is required: `defaults.ts` has the rest. */
export const configSchema: z.ZodType<PartialConfig> = z
  .strictObject({
    $schema: z.string().exactOptional().describe("Where the JSON schema of this file is."),
    ...({
      enabled: flag("Off: Coppice does nothing at all."),
      debug: flag("Writes a log file to the host's log folder."),
      pruneNotification: choice("The notice after something was cut.", NOTIFICATIONS),
      commands: group("The slash commands.", {
        enabled: flag("Offers the slash commands."),
        protectedTools: globs(
          "The same list as `tools.settings.protectedTools` by another name: more tools whose results nothing may cut.",
        ),
      } satisfies Shape<Part<PartialConfig, "commands">>),
      protectedFilePatterns: globs(
        "More files whose contents nothing may cut; globs, added to the built-in ones. One without a slash counts in any folder.",
        { dot: true },
      ),
      unprotect: names(
        "Tools, commands and file patterns taken off the protected lists, spelled as they stand there.",
      ),
      tools,
      strategies,
      summaries: z
        .array(summaryRule)
        .exactOptional()
        .describe(
          "Rules of your own for what stays of tool results that are old or spent; the first that fits counts.",
        ),
      toolKinds: z.array(userToolKind).exactOptional().describe("What your own tools do."),
      textProtocols: z
        .array(ownProtocol)
        .exactOptional()
        .describe(
          "How your agent writes commands and their outputs, where it makes its calls as text; the first that fits counts. Those of Cline, mini-swe-agent, OpenHands and SWE-agent are known.",
        ),
      window: z
        .int()
        .min(1)
        .nullable()
        .exactOptional()
        .describe("Context window in tokens; `null`: the model's own."),
      shadow: flag("Changes nothing and reports what would be cut."),
      statistics: group("What plugins of agents count, beside what `/coppice` shows.", {
        store: z
          // A word like "off" is no path.
          .union([z.boolean(), z.string().regex(/[./\\]/)])
          .exactOptional()
          .describe(
            "The SQLite file in which OpenCode's and pi's requests are counted, so that they appear beside those of `coppice proxy`: sums, no text. `true`: the one in the user's data folder, where this program has SQLite; a path (with a dot or a slash): that one; `false`: none.",
          ),
      } satisfies Shape<Part<PartialConfig, "statistics">>),
      keepBytes: count(
        "How much text of conversations is kept in memory, in bytes (a character counts as one, and every message adds something). A conversation that had to go is read again when it comes back, and gives the same result.",
      ),
      prefix: group("What stands before the first message.", {
        dropTools: globs(
          "Tools that `coppice proxy`, `coppice wrap` and `coppice/fetch` leave out of requests, by name or glob, for agents that have no switch for it. A conversation keeps the tools that it began with; a tool that the request says has to be called, or that one of the provider's tools needs, stays.",
        ),
      } satisfies Shape<Part<PartialConfig, "prefix">>),
      schedule,
    } satisfies Shape<PartialConfig>),
  })
  .transform(({ $schema: _, ...config }) => config);
