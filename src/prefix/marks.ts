import type { PrefixGroup } from "./piece.ts";

/**
 * How clients mark their parts of a prompt. A mark begins with a line, and all expressions are matched against
 * lines.
 */
export interface Mark {
  readonly group: PrefixGroup;
  readonly open: RegExp;
  /** The last line. */
  readonly close?: RegExp;
  /** The first line that no longer belongs to it. */
  readonly before?: RegExp;
  /** It ends with the first blank line after an item. */
  readonly endsBlank?: true;
  /** Names the lines before the first item, using the first group of `open`. */
  name?(found: string): string;
  /** Begins an item; its name is the first group that matched. */
  readonly item?: RegExp;
  /** Items are MCP servers. */
  readonly servers?: true;
  /** Items are tools. */
  readonly tools?: true;
}

const LISTED = /^\s*- "?([\w.:@/-]+)"?(?::|$)/;
const NAMED = /^\s*<name>(.+)<\/name>$/;

/** The first mark whose `open` matches is used. */
export const MARKS: readonly Mark[] = [
  // Claude Code
  {
    group: "memory files",
    open: /^Contents of ([^(]+) \(/,
    before: /^<\/system-reminder>/,
    name: (path) => path,
  },
  {
    group: "skills",
    open: /^The following skills are available for use with the Skill tool:/,
    endsBlank: true,
    item: LISTED,
  },
  { group: "agents", open: /^Available agent types for the \w+ tool:/, endsBlank: true, item: LISTED },
  {
    group: "deferred tools",
    open: /^The following deferred tools are (?:now )?available/,
    endsBlank: true,
    item: /^([\w.-]+)$/,
    tools: true,
  },
  {
    group: "MCP servers",
    open: /^# MCP Server Instructions$/,
    before: /^# /,
    item: /^## (.+)$/,
    servers: true,
  },
  // Codex
  {
    group: "memory files",
    open: /^# AGENTS\.md instructions for (.+)$/,
    close: /^<\/INSTRUCTIONS>/,
    name: (folder) => `${folder}/AGENTS.md`,
  },
  {
    group: "skills",
    open: /^<skills_instructions>/,
    close: /^<\/skills_instructions>/,
    item: /^- ([\w.:@/-]+): .*\(file: /,
  },
  // Gemini CLI, Qwen Code
  {
    group: "memory files",
    open: /^--- Context from: (.+) ---$/,
    close: /^--- End of Context from: /,
    name: (path) => path,
  },
  {
    group: "agents",
    open: /^<available_subagents>/,
    close: /^<\/available_subagents>/,
    item: NAMED,
  },
  {
    group: "deferred tools",
    open: /^The following (?:MCP )?tools (?:became available after startup and )?are reachable through/,
    before: /^<\/system-reminder>/,
    item: LISTED,
    tools: true,
  },
  {
    group: "MCP servers",
    open: /^The text below was supplied by the MCP server/,
    before: /^<\/system-reminder>/,
    item: /^### (.+)$/,
    servers: true,
  },
  // OpenCode
  {
    group: "memory files",
    open: /^Instructions from: (.+)$/,
    before: /^Skills provide specialized instructions/,
    name: (path) => path,
  },
  // pi
  {
    group: "memory files",
    open: /^<project_instructions path="([^"]+)">/,
    close: /^<\/project_instructions>/,
    name: (path) => path,
  },
  // Copilot: it does not say which file
  { group: "memory files", open: /^<custom_instruction>/, close: /^<\/custom_instruction>/ },
  // several
  { group: "skills", open: /^\s*<available_skills>/, close: /^\s*<\/available_skills>/, item: NAMED },
];
