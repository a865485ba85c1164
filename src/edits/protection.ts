import picomatch from "picomatch";
import type { Facts } from "../facts/facts.ts";
import type { Pass } from "../strategies/strategy.ts";

export interface ProtectionRules {
  /** Names or globs of tools whose results stay. */
  readonly tools: readonly string[];
  /** Globs of files whose reads and writes stay. A pattern without a slash holds in any folder. */
  readonly files: readonly string[];
}

/** Says of any part why it must not be cut by an author, or `undefined`. */
export type Protection = (facts: Facts, part: number, author: string) => string | undefined;

/** Protection holds against every pass and the agent; a pass may cut the protected things that it is made for. */
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
    const use = facts.calls.of(index)?.use;
    if (!use) return undefined;
    const may = exceptions.get(author);
    if (matchesTool(use.name) && !may?.tools?.includes(use.kind)) return `the tool ${use.name} is protected`;
    const file = use.files.find(
      ({ path, operation }) => !may?.files?.includes(operation) && (matchesFile(path) || matchesPath(path)),
    );
    return file && `the file ${file.path} is protected`;
  };
}
