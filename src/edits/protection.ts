import picomatch from "picomatch";
import type { Facts } from "../facts/facts.ts";
import type { Pass } from "../strategies/strategy.ts";
import type { ToolKind } from "../tool-kinds/tool-use.ts";

export interface ProtectionRules {
  /** Names or globs of tools whose results stay. */
  readonly tools: readonly string[];
  /** Globs of files whose reads and writes stay. A pattern without a slash holds in any folder. */
  readonly files: readonly string[];
}

/** Says of any part why it must not be cut by an author, or `undefined`. */
export type Protection = (facts: Facts, part: number, author: string) => string | undefined;

/** Protection holds against every pass and the agent; a pass may replace the protected kinds that it is made for. */
export function createProtection(rules: ProtectionRules, passes: readonly Pass[]): Protection {
  const exceptions = new Map(passes.map((pass) => [pass.name, pass.mayReplace]));
  const matchesTool = picomatch(rules.tools.map((tool) => tool.toLowerCase()));
  const matchesFile = picomatch([...rules.files], { basename: true, dot: true });
  const matchesPath = picomatch([...rules.files], { dot: true });
  return (facts, index, author) => {
    const { transcript } = facts;
    const part = transcript.part(index);
    if (part.role === "system" || part.role === "developer") return "system text is protected";
    if (part.role === "user" && part.kind !== "result" && transcript.turn[index] === transcript.lastTurn) {
      return "the newest user message is protected";
    }
    const fact = facts.calls.of(index);
    if (!fact || isException(exceptions.get(author), fact.use.kind)) return undefined;
    if (matchesTool(fact.use.name)) return `the tool ${fact.use.name} is protected`;
    const file = fact.use.files.find(({ path }) => matchesFile(path) || matchesPath(path));
    return file && `the file ${file.path} is protected`;
  };
}

function isException(mayReplace: readonly ToolKind[] | undefined, kind: ToolKind): boolean {
  return mayReplace?.includes(kind) ?? false;
}
