/** The beginnings of summaries and placeholders: ours, those of hosts, and common forms of people. */
const SUMMARY_STARTS: readonly RegExp[] = [
  // ours
  /^\[(?:Content truncated|superseded:|discarded:|shaken ~|distilled:|summary:)/i,
  /^\[File: [^\n]*\nLines: /,
  // hosts that clear results
  /^\[Old tool result content cleared/i,
  /^\[(?:tool )?(?:result|output|content)s? (?:was |were )?(?:cleared|removed|omitted|truncated|pruned)/i,
  // hosts that compact
  /^This session is being continued from a previous conversation/,
  /^Another language model started to solve this problem/,
  /^The conversation history before this point was compacted/,
  /^<(?:summary|conversation[-_]summary|compaction|compacted|context[-_]summary)>/i,
  /^(?:#+ |\*\*|\[)?(?:summary of (?:the |our |earlier |previous |prior )*conversation|(?:previous |earlier |prior )?conversation summary)\b/i,
];

/** Is this already a summary, a placeholder or a compaction? */
export function isSummarizedText(text: string): boolean {
  const start = text.slice(0, 400).trimStart();
  return SUMMARY_STARTS.some((form) => form.test(start));
}
