import { countOf } from "../basics/numbers.ts";
import { LOOK_BACK } from "../schedule/prompt-cache.ts";
import type { NamedHash, PrefixFingerprint, TextHash } from "./fingerprint.ts";

/**
 * Why text that should have been in a provider's cache was not there. model: the request used another one. time:
 * the pause was longer than the cache's lifetime. tools, system, messages: the client changed them. cut: Coppice
 * did. marks: no cache mark is near the entry. settings, headers: other fields that matter. provider: nothing
 * differs.
 */
export type LossCause =
  | "model"
  | "time"
  | "tools"
  | "system"
  | "messages"
  | "cut"
  | "marks"
  | "settings"
  | "headers"
  | "provider";

export interface ExplainedLoss {
  readonly cause: LossCause;
  /** A short description: `Bash was added`. */
  readonly what: string;
}

export interface LossTerms {
  /** Between the two requests, in milliseconds. */
  readonly pause: number;
  /** The lifetime of a cache entry after its last use, in milliseconds. */
  readonly ttl: number;
  /** Did Coppice cut something for the newer request? */
  readonly isCut: boolean;
  /** The difference that the provider itself reports. */
  readonly diagnosis?: string | undefined;
}

/** Explains why the second of two consecutive requests did not find the first one's text in the cache. */
export function explainLoss(
  before: PrefixFingerprint,
  now: PrefixFingerprint,
  terms: LossTerms,
): ExplainedLoss {
  const { pause, ttl } = terms;
  const own =
    explainModel(before, now) ??
    (pause > ttl ? { cause: "time" as const, what: `a pause of ${formatPause(pause)}` } : undefined) ??
    explainText(before, now, terms) ??
    explainMarks(before, now) ??
    explainSettings(before, now) ??
    explainHeaders(before, now);
  const named = DIAGNOSES.get(terms.diagnosis ?? "");
  if (named !== undefined && own?.cause !== named && !(named === "messages" && own?.cause === "cut"))
    return { cause: named, what: "as the provider says" };
  return own ?? { cause: "provider", what: "nothing differs" };
}

/** Anthropic's values of `diagnostics.cache_miss_reason.type`. The other values mean that it does not know. */
const DIAGNOSES: ReadonlyMap<string, LossCause> = new Map([
  ["model_changed", "model"],
  ["tools_changed", "tools"],
  ["system_changed", "system"],
  ["messages_changed", "messages"],
]);

function explainModel(before: PrefixFingerprint, now: PrefixFingerprint): ExplainedLoss | undefined {
  if (before.model === now.model) return undefined;
  return { cause: "model", what: `${before.model ?? "unknown"} before, ${now.model ?? "unknown"} now` };
}

/** In the order in which a provider reads a request. */
function explainText(
  before: PrefixFingerprint,
  now: PrefixFingerprint,
  { isCut }: LossTerms,
): ExplainedLoss | undefined {
  const tools = compareNamed(before.tools, now.tools);
  if (tools !== undefined) return { cause: "tools", what: tools };
  const block = findDifferent(before.system, now.system, true);
  if (block >= 0)
    return { cause: "system", what: nameDifference("block", block, before.system[block], now.system[block]) };
  const message = findDifferent(before.messages, now.messages, false);
  if (message < 0) return undefined;
  if (isCut) return { cause: "cut", what: `Coppice cut message ${message + 1} or one after it` };
  const [old, own] = [before.messages[message], now.messages[message]];
  return { cause: "messages", what: nameDifference("message", message, old, own) };
}

function compareNamed(before: readonly NamedHash[], now: readonly NamedHash[]): string | undefined {
  const index = (list: readonly NamedHash[]) => new Map(list.map(({ name, hash }) => [name, hash]));
  const [old, own] = [index(before), index(now)];
  const say = (names: readonly string[], verb: string): string | undefined =>
    names.length === 0 ? undefined : `${listNames(names)} ${names.length === 1 ? "was" : "were"} ${verb}`;
  const parts = [
    say(
      [...own.keys()].filter((name) => !old.has(name)),
      "added",
    ),
    say(
      [...old.keys()].filter((name) => !own.has(name)),
      "removed",
    ),
    say(
      [...own].filter(([name, hash]) => old.has(name) && old.get(name) !== hash).map(([name]) => name),
      "changed",
    ),
  ].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(", ");
  const moved = now.find(({ name }, i) => before[i]?.name !== name);
  return moved || before.length !== now.length
    ? `the order differs from ${moved?.name ?? "the end"} on`
    : undefined;
}

const NAMES_LISTED = 3;
const LONGEST_NAME = 60;

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_LISTED).map((name) => name.slice(0, LONGEST_NAME).toWellFormed());
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${countOf(more, "other")}` : shown.join(", ");
}

/** @param isWhole additional text at the end is a difference too */
function findDifferent(before: readonly TextHash[], now: readonly TextHash[], isWhole: boolean): number {
  const at = before.findIndex(({ hash }, i) => now[i]?.hash !== hash);
  return at < 0 && isWhole && now.length > before.length ? before.length : at;
}

function nameDifference(
  kind: string,
  index: number,
  before: TextHash | undefined,
  now: TextHash | undefined,
): string {
  const place = `${kind} ${index + 1}`;
  if (!now) return `${place} was removed`;
  if (!before) return `${place} was added`;
  const isSame = (pick: (text: TextHash) => string | undefined): boolean =>
    (pick(before) ?? before.hash) === (pick(now) ?? now.hash);
  if (isSame(({ undated }) => undated)) return `${place}: a date`;
  if (isSame(({ unreminded }) => unreminded)) return `${place}: a reminder`;
  if (isSame(({ detached }) => detached)) return `${place}: an attachment`;
  return `${place} was changed`;
}

/** A provider looks for entries a few blocks back from each mark, and stores them only at marks. */
function explainMarks(before: PrefixFingerprint, now: PrefixFingerprint): ExplainedLoss | undefined {
  const last = before.marks.at(-1);
  if (last === undefined) return undefined;
  if (now.marks.length === 0) return { cause: "marks", what: "all cache marks were removed" };
  if (now.marks.some((mark) => last <= mark && mark - last < LOOK_BACK)) return undefined;
  return { cause: "marks", what: `no cache mark within ${LOOK_BACK} blocks after the previous last one` };
}

function explainSettings(before: PrefixFingerprint, now: PrefixFingerprint): ExplainedLoss | undefined {
  const what = compareNamed(before.settings, now.settings);
  return what === undefined ? undefined : { cause: "settings", what };
}

function explainHeaders(before: PrefixFingerprint, now: PrefixFingerprint): ExplainedLoss | undefined {
  const [old, own] = [new Set(before.features), new Set(now.features)];
  const differing = [
    ...now.features.filter((name) => !old.has(name)),
    ...before.features.filter((name) => !own.has(name)),
  ];
  return differing.length === 0
    ? undefined
    : { cause: "headers", what: `${listNames(differing)} in anthropic-beta` };
}

function formatPause(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}
