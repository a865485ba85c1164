/** A session of Claude Code with a request at each of these times, all with the same usage. */
export function paidSession(
  times: readonly string[],
  project = "/work/shop",
  prompt = "Fix the login",
): string {
  const lines = times.flatMap((time, i) => [
    {
      type: "user",
      uuid: `u${i}`,
      parentUuid: i === 0 ? null : `a${i - 1}`,
      sessionId: "s1",
      cwd: project,
      timestamp: time,
      message: { role: "user", content: i === 0 ? prompt : `And then ${i}?` },
    },
    {
      type: "assistant",
      uuid: `a${i}`,
      parentUuid: `u${i}`,
      sessionId: "s1",
      cwd: project,
      timestamp: time,
      message: {
        id: `m${i}`,
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [{ type: "text", text: `Done ${i}.` }],
        usage: {
          input_tokens: 1_000,
          cache_read_input_tokens: 10_000,
          cache_creation_input_tokens: 2_000,
          output_tokens: 100,
        },
      },
    },
  ]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
