/**
 * Gives `--shake` its value. The value is optional, so without an equals sign a file name after it would be read as
 * the value.
 */
export function spellOut(args: readonly string[]): readonly string[] {
  if (args[0] === "wrap") return spellOutLean(args);
  return args.map((arg, i) => (arg === "--shake" && args[i + 1] !== "aggressive" ? "--shake=usual" : arg));
}

/**
 * Splits `--lean=…` into two options. `--lean` takes a value only after `=`, because the agent's name may follow it.
 * The words after the agent's name belong to the agent.
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
/** Options of `wrap` whose value is the next word. */
const TAKING: ReadonlySet<string> = new Set(["--upstream", "--store", "--holdout"]);
