/** `--shake` has an optional value: without an equals sign, a file name behind it would be taken for the value. */
export function spellOut(args: readonly string[]): readonly string[] {
  if (args[0] === "wrap") return spellOutLean(args);
  return args.map((arg, i) => (arg === "--shake" && args[i + 1] !== "aggressive" ? "--shake=usual" : arg));
}

/**
 * `--lean` takes no word, as the agent's name follows, and yet a value behind `=`. What stands behind the agent is the agent's.
 *
 *   wrap --lean=keep:Agent,WebFetch claude   ->   wrap --lean --lean-keep=Agent,WebFetch claude
 */
function spellOutLean(args: readonly string[]): readonly string[] {
  const agent = args.findIndex((arg, i) => i > 0 && !arg.startsWith("-") && !TAKING.has(args[i - 1] ?? ""));
  return args.flatMap((arg, i) =>
    arg.startsWith(KEEP) && (agent < 0 || i < agent)
      ? ["--lean", `--lean-keep=${arg.slice(KEEP.length)}`]
      : [arg],
  );
}

const KEEP = "--lean=keep:";
/** Options of `wrap` that take the next word. */
const TAKING: ReadonlySet<string> = new Set(["--upstream", "--store", "--holdout"]);
