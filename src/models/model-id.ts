/** Vendors before a model's name: `us.anthropic.claude-…`, `anthropic:claude-…`. */
const VENDOR =
  /^.*(?:anthropic|openai|google|deepseek|moonshot|moonshotai|mistral|qwen|minimax|zai|xai|meta|amazon)[.:]/;

/** Suffixes that hosts and gateways append to the name of the same model. */
const SUFFIX =
  /(?:\[[^[\]]*\]|:[a-z0-9.]+|-free|-latest|-thinking|-thought|-fast|-xhigh|-high|-medium|-low|-minimal|-\d{8}|-\d{4}-\d\d-\d\d)$/;

/** In characters. No name is longer, and the expressions here would be slow on more. */
const LONGEST_NAME = 200;

/**
 * A model's name as its maker writes it, in lower case, without additions of gateways.
 *
 *   us.anthropic.claude-sonnet-4-5-20250929-v1:0   ->  claude-sonnet-4-5-20250929
 *   litellm_proxy/moonshotai/Kimi-K2-Thinking      ->  kimi-k2-thinking
 *   opencode/deepseek-v4-flash-free                ->  deepseek-v4-flash
 *   claude-opus-4.6[1m]                            ->  claude-opus-4.6
 */
export function bareModelId(model: string): string {
  const name = model.slice(-LONGEST_NAME).trim().toLowerCase();
  return name
    .slice(name.lastIndexOf("/") + 1)
    .replace(/\[[^[\]]*\]$/, "")
    .replace(VENDOR, "")
    .replace(/:[a-z0-9.]+$/, "")
    .replace(/^(claude-.*)-v\d$/, "$1")
    .replace(/-free$/, "")
    .replace("@", "-");
}

/** No name has more. */
const MOST_SUFFIXES = 10;

/** Other names under which a price library may know the same model, the nearest first. */
export function spellings(bareId: string): readonly string[] {
  const found = new Set<string>();
  for (let id = bareId, suffixes = 0; ; id = id.replace(SUFFIX, ""), suffixes++) {
    found
      .add(id)
      .add(dashed(id))
      .add(id.replace(/(\d)-(\d)(?!\d)/g, "$1.$2"))
      .add(`${id}-preview`);
    if (suffixes === MOST_SUFFIXES || !SUFFIX.test(id)) return [...found];
  }
}

/** `claude-opus-4.6` → `claude-opus-4-6`: the spelling that the families use. */
export function dashed(bareId: string): string {
  return bareId.replaceAll(".", "-");
}

/**
 * One id for all names of a model, because providers keep one cache per model. Hosts request an alias, and answers
 * contain the dated name.
 *
 *   claude-sonnet-4-5, anthropic/claude-sonnet-4.5, claude-sonnet-4-5-20250929  ->  claude-sonnet-4-5
 */
export function plainModelId(model: string): string {
  return dashed(bareModelId(model)).replace(/-(?:latest|\d{8}|\d{4}-\d\d-\d\d)$/, "");
}

/** 4.5 for `claude-sonnet-4-5-20250929`, 5.4 for `gpt-5-4-mini`; 0 if a name has no version. */
export function versionOf(dashedId: string): number {
  const [, major = "0", minor = "0"] = /-(\d{1,2})(?:-(\d))?(?!\d)/.exec(dashedId) ?? [];
  return Number(`${major}.${minor}`);
}

/** `claude-sonnet-4-5[1m]`: the variant with a window of a million tokens. */
export function hasLongContext(model: string): boolean {
  return /\[1m\]\s*$/i.test(model.slice(-LONGEST_NAME));
}
