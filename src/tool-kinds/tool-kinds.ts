import { describeCall } from "./describe-call.ts";
import { createEntryLookup } from "./find-entry.ts";
import type { ToolKindEntry } from "./tool-kind-entry.ts";
import type { ToolUse } from "./tool-use.ts";

interface DescribeOptions {
  /** The working directory, if known: relative paths become absolute. */
  readonly directory?: string;
}

/** The meaning of tools, of any agent. */
export interface ToolKinds {
  /** Pure and total: for an input without known fields, the name gives the kind, and there are no files. */
  describe(tool: string, input: unknown, options?: DescribeOptions): ToolUse;
}

/**
 * Knows the tools of many agents by name and spelling; the user's entries have precedence over the built-in ones.
 *
 *   createToolKinds().describe("mcp__fs__read_file", { path: "./a.ts" })
 *   ->  { kind: "read", name: "read_file", server: "fs", files: [{ path: "fs://a.ts", operation: "read" }],
 *         identifying: ["path"] }
 */
export function createToolKinds(userEntries: readonly ToolKindEntry[] = []): ToolKinds {
  const findEntry = createEntryLookup(userEntries);
  return {
    describe(tool, input, { directory } = {}) {
      const named = findEntry(tool);
      try {
        return describeCall(named, input, directory);
      } catch {
        const { name, server, entry } = named;
        return {
          kind: entry.kind,
          name,
          ...(server !== undefined && { server }),
          files: [],
          identifying: [],
        };
      }
    },
  };
}
