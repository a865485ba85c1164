/** Says in a section of the system prompt what the turn is about: it changes with every prompt. */
export default function turnSection(pi) {
  pi.on("before_agent_start", ({ prompt, systemPromptOptions }) => {
    systemPromptOptions.sections.turn = `This turn: ${prompt}`;
  });
}
