/**
 * Appended to the system prompt of an agent that has our tools. Always the same, so that it breaks no cached prefix.
 */
export const SYSTEM_TEXT = `Old tool results in this conversation may be shortened or replaced by markers in brackets; the six hex digits in a marker are its ref. A last line such as <tool_hash>a1b2c3</tool_hash> gives a result's ref for the context_* tools. Refs and tags are not part of any file: never write them into answers or files.`;
