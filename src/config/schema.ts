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
const QUICK_GLOB = "a glob that takes linear time on every name";

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
  ttl: amount("How long a prefix stays cached after its last use, in milliseconds."),
  minimumPrefix: count("The fewest tokens of a prefix that is cached."),
  dollarsPerMillion: amount("Price of one million plain input tokens, in US dollars."),
  window: count("Context window in tokens.", 1),
  reasoning: reasoningRule
    .exactOptional()
    .describe(
      "What the provider requires of reasoning in the history: nothing, the field itself, signed blocks that are unchanged, or signed blocks that are bound to the text before them.",
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
            "a regular expression that takes linear time on every line",
          )
          .describe("Lines that match stay."),
      }),
      z.strictObject({ template: z.string().describe("A text that replaces the result.") }),
    ])
    .describe("What stays: the first and last lines, the lines that match, or your own text."),
} satisfies Shape<SummaryRule>);

const userToolKind = z.strictObject({
  names: z.array(glob(TOOL_GLOB)).min(1).describe("Names of the tools."),
  kind: toolKind.describe("What they do."),
  path: name("The input field that holds the path."),
  command: name("The input field that holds the command."),
  url: name("The input field that holds the url."),
  query: name("The input field that holds the pattern or query."),
  snapshot: name(
    "One word for what a result shows, such as `page`. Of the results with the same word and the same identifying fields, only the newest stays.",
  ),
  identifying: names("Input fields that stay when an input shrinks."),
} satisfies Shape<UserToolKind>);

const mark = (description: string) => z.string().min(1).describe(description);

const ownProtocol = z.strictObject({
  call: z
    .strictObject({
      begin: mark("The text before the command."),
      end: mark(
        "The text after the command. Without it, the command extends to the end of the answer.",
      ).exactOptional(),
    } satisfies Shape<OwnProtocol["call"]>)
    .describe("The command in an answer of the model."),
  result: z
    .strictObject({
      begin: mark("The first text of the message or text block with the output."),
      end: mark(
        "The text after the output. Without it, the output extends to the end of the text.",
      ).exactOptional(),
    } satisfies Shape<OwnProtocol["result"]>)
    .describe("The output in the user message after that answer. These delimiters always stay."),
  tool: name("The tool that the command is for; default: `bash`."),
  field: name("The input field of that tool that holds the command; default: `command`."),
} satisfies Shape<OwnProtocol>);

const tools = group("The tools that the agent gets.", {
  settings: group("What the agent may cut, and how it learns about it.", {
    protectedTools: globs(
      "More tools whose results are protected from cuts; names or globs, added to the built-in ones.",
    ),
    protectedCommands: globs(
      "Commands whose output is protected from cuts, in the shell of any agent: `npm test*`. Each glob is matched against each command of a line, with its arguments; `*` stands for anything.",
      COMMAND_GLOB,
    ),
    enableAssistantMessagePruning: flag("Assistant texts have refs and can be cut."),
    enableReasoningPruning: flag("Reasoning has refs and can be cut."),
    enableVisibleAssistantHashes: flag(
      "The refs of a step's text and reasoning are shown on its last tool result.",
    ),
  } satisfies Shape<Part<Tools, "settings">>),
  discard: group("Cutting a part and leaving a placeholder.", {
    enabled: flag("Gives the agent `context_prune` with the action discard."),
  } satisfies Shape<Part<Tools, "discard">>),
  distill: group("Cutting a part and leaving the agent's summary.", {
    enabled: flag("Gives the agent `context_prune` with the action distill."),
    showDistillation: flag("The notice after a distill shows the summary."),
  } satisfies Shape<Part<Tools, "distill">>),
  replace: group("Replacing a stretch of text with another.", {
    enabled: flag("Gives the agent `context_prune` with the action replace."),
  } satisfies Shape<Part<Tools, "replace">>),
  recall: group("Reading what was cut.", {
    enabled: flag("Gives the agent `context_recall`."),
  } satisfies Shape<Part<Tools, "recall">>),
  todoReminder: group("A note at the end of the context: how full it is, what can be cut, open todos.", {
    enabled: flag("Writes the reminder."),
    initialTurns: count("Turns without a change of the todo list before the first reminder.", 1),
    repeatTurns: count("Turns between reminders.", 1),
    stuckTaskTurns: count("Turns that a task can be in progress before the reminder calls it stuck.", 1),
  } satisfies Shape<Part<Tools, "todoReminder">>),
  automataMode: group('A prompt to reflect, once a user message contains the word "automata".', {
    enabled: flag("Writes the prompt."),
    initialTurns: count("Turns between prompts.", 1),
  } satisfies Shape<Part<Tools, "automataMode">>),
} satisfies Shape<Tools>);

const strategies = group("What Coppice cuts without a request.", {
  purgeErrors: group("Inputs of old failed calls shrink to the fields that say what the call was about.", {
    enabled: flag("Shrinks them. If off, `spent.inputs` leaves them alone too."),
    ...passShape("strategies.purgeErrors"),
  } satisfies Shape<Part<Strategies, "purgeErrors">>),
  aggressivePruning: group(
    "What is cut when newer text replaces it: a preset, and flags that differ from it.",
    {
      preset: choice("The flags to start from.", PRESET_NAMES),
      ...FLAG_SHAPE,
    } satisfies Shape<Part<Strategies, "aggressivePruning">>,
  ),
  intelligentPruning: flag(
    "Tool results become summaries that depend on the kind of tool. If off, an old result becomes a plain `[Tool output pruned - N chars]`, and neither `spent.results` nor `schedule.ingestCap` shortens one before that.",
  ),
  spent: group("Text that the agent no longer needs shrinks long before it is old. Ages are in steps.", {
    enabled: flag("Shrinks text that is no longer needed."),
    ...passShape("strategies.spent"),
  } satisfies Shape<Part<Strategies, "spent">>),
  pruneProtect: count(
    "The newest tool results, up to this many tokens, are not yet old. This limits what is cut by age: summaries, attachments, code blocks. It does not limit `spent`, `schedule.ingestCap`, text that a newer call replaces, or cuts under pressure.",
  ),
  ...passShape("strategies"),
  compactThreshold: share(
    "Share of the window from which Coppice cuts everything that it can, as far as earlier cuts have paid for the rewrite. If the request would not fit, it cuts in any case.",
  ),
  shake: group("Cutting whole results and large blocks.", {
    protectTokens: count("The newest text of the context, up to this many tokens, stays as it is."),
    minSavings: count("A shake must save this many tokens, or it cuts nothing."),
    fenceMinTokens: count("Fenced and XML blocks with fewer tokens stay."),
    protectedTools: globs("More tools whose results a shake leaves alone; names or globs, added to `skill`."),
  } satisfies Shape<Part<Strategies, "shake">>),
  trim: group("Trimming to a budget.", {
    strategy: choice("What is cut first: the least important text, or the oldest.", TRIM_STRATEGIES),
    preserveRecentTurns: count("The newest turns, trimmed last."),
    maxAge: count("Turns after which `age-based` treats a result as old."),
    reservedOutputTokens: count("Tokens of the window left free for the answer."),
  } satisfies Shape<Part<Strategies, "trim">>),
} satisfies Shape<Strategies>);

const schedule = group("When Coppice cuts.", {
  mode: choice(
    "`rent-or-buy` waits until keeping stale text has cost as much as rewriting the cache; `eager` cuts at once; `pressure` waits for `compactThreshold`.",
    SCHEDULE_MODES,
  ),
  model: z
    .string()
    .min(1)
    .nullable()
    .exactOptional()
    .describe("The model whose window and prices are used; `null`: the session's own."),
  prices: prices
    .exactOptional()
    .describe(
      'Values that differ from the price library, for the session\'s model, or by glob over model ids: `{ "claude-*": { "read": 0.05 } }`.',
    ),
  ...passShape("schedule"),
  requestedLimit: count(
    "The most that a cut requested by the agent may cost at once, in tokens of plain input; a more expensive one waits for the next cut.",
  ),
  dropReasoning: flag(
    "On models that bind reasoning to the text before it: at the start of a turn, a cut that pays for itself may also remove the reasoning of finished turns. If off, only a full window may do that.",
  ),
  ownMark: flag(
    "If a provider caches at marks and the client leaves one unused, Coppice sets one more, so that a cut rewrites less. If off, only the client's marks are used.",
  ),
} satisfies Shape<Part<PartialConfig, "schedule">>);

/** The keys that a file, the environment or a caller may set. No key is required: `defaults.ts` has the rest. */
export const configSchema: z.ZodType<PartialConfig> = z
  .strictObject({
    $schema: z.string().exactOptional().describe("The address of the JSON schema for this file."),
    ...({
      enabled: flag("If off, Coppice does nothing."),
      debug: flag("Writes a log file to the host's log folder."),
      pruneNotification: choice("The notice after something was cut.", NOTIFICATIONS),
      commands: group("The slash commands.", {
        enabled: flag("Registers the slash commands."),
        protectedTools: globs(
          "Another name for `tools.settings.protectedTools`: more tools whose results are protected from cuts.",
        ),
      } satisfies Shape<Part<PartialConfig, "commands">>),
      protectedFilePatterns: globs(
        "More files whose contents are protected from cuts; globs, added to the built-in ones. A glob without a slash matches in any folder.",
        { dot: true },
      ),
      unprotect: names(
        "Tools, commands and file patterns to remove from the protected lists, spelled as they are there.",
      ),
      tools,
      strategies,
      summaries: z
        .array(summaryRule)
        .exactOptional()
        .describe(
          "Your own rules for what stays of tool results that are old or no longer needed; the first rule that matches is used.",
        ),
      toolKinds: z.array(userToolKind).exactOptional().describe("What your own tools do."),
      textProtocols: z
        .array(ownProtocol)
        .exactOptional()
        .describe(
          "How your agent writes commands and their outputs, if it writes its calls as text; the first entry that matches is used. Coppice knows those of Cline, mini-swe-agent, OpenHands and SWE-agent.",
        ),
      window: z
        .int()
        .min(1)
        .nullable()
        .exactOptional()
        .describe("Context window in tokens; `null`: the model's own."),
      shadow: flag("Changes nothing and reports what would be cut."),
      statistics: group("What plugins of agents record, besides the figures that `/coppice` shows.", {
        store: z
          // A word such as "off" is not a path.
          .union([z.boolean(), z.string().regex(/[./\\]/)])
          .exactOptional()
          .describe(
            "The SQLite file in which requests of OpenCode and pi are recorded, so that they appear next to those of `coppice proxy`: totals, no text. `true`: the file in the user's data folder, if this program has SQLite; a path (with a dot or a slash): that file; `false`: none.",
          ),
      } satisfies Shape<Part<PartialConfig, "statistics">>),
      keepBytes: count(
        "How much text of conversations is kept in memory, in bytes (a character counts as one, and every message adds a little). A conversation that was removed is read again when it comes back, and gives the same result.",
      ),
      prefix: group("The text before the first message.", {
        dropTools: globs(
          "Tools that `coppice proxy`, `coppice wrap` and `coppice/fetch` leave out of requests, by name or glob, for agents that can't turn off tools themselves. A conversation keeps the tools that it began with. A tool stays if the request says that it must be called, or if one of the provider's tools needs it.",
        ),
      } satisfies Shape<Part<PartialConfig, "prefix">>),
      schedule,
    } satisfies Shape<PartialConfig>),
  })
  .transform(({ $schema: _, ...config }) => config);
