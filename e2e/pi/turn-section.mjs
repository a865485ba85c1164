/** Puts the subject of the turn into a section of the system prompt, which changes with every prompt. */
export default function turnSection(pi) {
  pi.on("before_agent_start", ({ prompt, systemPromptOptions }) => {
    systemPromptOptions.sections.turn = `This turn: ${prompt}`;
  });
}
