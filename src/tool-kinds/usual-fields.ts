import type { ToolKindEntry } from "./tool-kind-entry.ts";
import type { ToolKind } from "./tool-use.ts";

export type UsualFields = Omit<
  ToolKindEntry,
  "names" | "kind" | "kindBy" | "within" | "foreign" | "snapshot" | "partial" | "sets" | "shows" | "loads"
>;

const PATH = [
  "file_path",
  "path",
  "absolute_path",
  "relative_path",
  "target_file",
  "filename",
  "file",
  "notebook_path",
  "uri",
  "files",
  "paths",
  "file_paths",
  "edits",
  "replacements",
];

const DIRECTORY = [
  "path",
  "dir_path",
  "directory",
  "dir",
  "target_directory",
  "relative_workspace_path",
  "directory_path",
  "repo_path",
  "folder",
  "paths",
];

/** The usual input fields of each kind, for all agents. Spellings that differ in case or `_` are the same. */
export const usualFields: Readonly<Record<ToolKind, UsualFields>> = {
  read: {
    path: PATH,
    range: {
      from: ["offset", "start_line", "start_line_one_indexed", "start", "line_number"],
      to: ["end_line", "end_line_one_indexed_inclusive", "end"],
      limit: ["limit", "head", "line_count"],
      pair: ["view_range", "line_range", "line_ranges", "lines"],
      tail: ["tail"],
    },
  },
  write: { path: PATH, content: ["content", "file_text", "contents", "text", "code"] },
  edit: {
    path: PATH,
    patch: ["patch_text", "patch", "input", "diff"],
    lines: ["insert_line", "line", "line_number", "start_line", "end_line", "line_range", "lines"],
  },
  delete: { path: PATH },
  list: {
    directory: DIRECTORY,
    query: ["pattern", "glob_pattern", "glob", "query", "file_name", "patterns"],
  },
  search: {
    directory: [...DIRECTORY, "file"],
    query: ["pattern", "query", "regex", "search_term", "patterns", "search", "q"],
  },
  shell: {
    command: ["command", "cmd", "command_line", "script"],
    directory: ["workdir", "cwd", "working_directory", "dir_path", "directory"],
  },
  fetch: { url: ["url", "urls", "uri", "prompt"] },
  "web-search": { query: ["query", "queries", "search_term", "q"] },
  todo: { todos: ["todos", "plan", "todo_list", "task_list", "tasks", "items"] },
  task: { identifying: ["description", "subagent_type", "agent", "task_id"] },
  skill: { identifying: ["skill", "name", "skill_name"] },
  context: { identifying: ["action", "ref"] },
  other: {
    identifying: [
      "id",
      "name",
      "title",
      "path",
      "file_path",
      "url",
      "query",
      "command",
      "action",
      "operation",
    ],
  },
};

/** With one of these fields, a path is not of this workspace but of a repository on a server, or of a bucket. */
export const ELSEWHERE: readonly string[] = [
  "owner",
  "repo",
  "repository",
  "repository_full_name",
  "bucket",
  "project_id",
  "host",
];

/** Fields that do not change the question. */
export const REMARKS: readonly string[] = [
  "description",
  "explanation",
  "timeout",
  "task_progress",
  "requires_approval",
];
