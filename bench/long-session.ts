/** A made-up OpenCode session of a given length: what the speed figures are measured on. */

const WORDS =
  "order price total discount customer invoice line rate currency region bundle stock return export".split(
    " ",
  );

/** Text like a source file, about `tokens` long by the rule of thumb; another `seed`, another text. */
function source(tokens: number, seed: number): string {
  const lines: string[] = [];
  for (let i = 0, size = 0; size < tokens * 4; i++) {
    const a = WORDS[(seed * 7 + i) % WORDS.length];
    const b = WORDS[(seed * 3 + i * 5) % WORDS.length];
    const line = `  const ${a}${seed} = compute(${b}, ${(seed * 31 + i * 17) % 1_000}); // ${a} of the ${b}`;
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join("\n");
}

/** `steps` responses, each with a sentence, a call and its result of about `resultTokens`; every fifth call repeats one. */
export function makeSession(steps: number, resultTokens: number): unknown[] {
  const start = 1_790_000_000_000;
  const messages: unknown[] = [
    {
      info: {
        id: "msg_0",
        sessionID: "s",
        role: "user",
        time: { created: start },
        model: { providerID: "p", modelID: "claude-sonnet-4-5" },
      },
      parts: [{ id: "prt_0", type: "text", text: "Refactor the discount module and keep the tests green." }],
    },
  ];
  for (let step = 1; step <= steps; step++) {
    const end = start + step * 20_000;
    const file = step % 5 === 0 ? step - 5 : step;
    messages.push({
      info: {
        id: `msg_${step}`,
        sessionID: "s",
        role: "assistant",
        parentID: "msg_0",
        modelID: "claude-sonnet-4-5",
        time: { created: end - 5_000, completed: end },
        tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      },
      parts: [
        { id: `a${step}`, type: "step-start" },
        { id: `b${step}`, type: "text", text: `Step ${step}: looking at the next file before I change it.` },
        {
          id: `c${step}`,
          type: "tool",
          tool: "read",
          callID: `call_${step}`,
          state: {
            status: "completed",
            input: { filePath: `src/module-${file}.ts` },
            output: source(resultTokens, file),
            metadata: {},
            time: { start: end - 1_000, end },
          },
        },
      ],
    });
  }
  return messages;
}
