import type { ToolKindEntry } from "../tool-kind-entry.ts";

/** Tools that query the workspace. */
export const workspaceTools: readonly ToolKindEntry[] = [
  {
    names: [
      ...["list", "ls", "list_dir", "list_directory", "list_files", "list_directory_with_sizes"],
      ...["glob", "glob_files", "find", "find_file", "find_files", "file_search", "find_by_name"],
    ],
    kind: "list",
  },
  { names: ["tree", "directory_tree"], kind: "list", shows: "tree" },
  { names: ["get_repo_map", "repo_map"], kind: "list", shows: "repo-map" },
  {
    names: ["code_structure", "list_code_definition_names", "get_symbols_overview"],
    kind: "list",
    shows: "structure",
  },
  { names: ["git_status"], kind: "list", shows: "git-status" },
  { names: ["git_diff", "git_diff_staged", "git_diff_unstaged"], kind: "list", shows: "git-diff" },
  { names: ["git_log"], kind: "list", shows: "git-log" },
  { names: ["git_branch"], kind: "list" },
  {
    names: [
      ...[
        "grep",
        "rg",
        "ripgrep",
        "multi_grep",
        "grep_files",
        "grep_code",
        "grep_search",
        "search",
        "search_files",
      ],
      ...[
        "search_file_content",
        "search_dir",
        "search_file",
        "codebase_search",
        "semantic_search",
        "find_symbol",
      ],
    ],
    kind: "search",
    identifying: ["include", "glob", "file_pattern", "type", "output_mode"],
  },
  { names: ["lsp", "lsp_*"], kind: "search", identifying: ["operation", "file_path", "line", "character"] },
  { names: ["tool_search"], kind: "other", identifying: ["query"] },
];
