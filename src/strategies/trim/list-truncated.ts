import type { MessageBench } from "../../workbench/message-bench.ts";
import { countText } from "./file-accesses.ts";
import type { ResultItem } from "./survey.ts";
import type { TruncatedResult } from "./trim-options.ts";

/** The results that placeholders replaced. `sources`: the original positions of the remaining messages. */
export function listTruncated<M>(
  { transcript, view, ledger }: MessageBench<M>,
  sources: readonly number[],
  results: readonly ResultItem[],
): readonly TruncatedResult[] {
  const outputOf = new Map(sources.map((source, message) => [source, message]));
  const isTruncated = ({ part }: ResultItem) => {
    const key = transcript.key(part);
    return ledger.isCut(key) && !ledger.isDropped(key);
  };
  return results.filter(isTruncated).map(({ part, metadata: { filePath } }) => {
    const source = transcript.message[part] ?? -1;
    const result = transcript.part(part);
    return {
      message: outputOf.get(source) ?? -1,
      source,
      ...(result.kind === "result" && { callId: result.callId }),
      ...(filePath !== undefined && { filePath }),
      truncated: true as const,
      originalTokens: countText(result),
      tokens: view.tokens[part] ?? 0,
    };
  });
}
