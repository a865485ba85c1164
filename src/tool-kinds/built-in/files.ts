import type { ToolKindEntry } from "../tool-kind-entry.ts";

const EDITOR_COMMANDS = {
  view: "read",
  create: "write",
  write: "write",
  str_replace: "edit",
  insert: "edit",
  undo_edit: "edit",
  edit_file: "edit",
  delete: "delete",
} as const;

/** Tools for named files. */
export const fileTools: readonly ToolKindEntry[] = [
  // OpenCode's and Claude Code's tool; pi's, which does not number lines, has a `path`.
  { names: ["read"], kind: "read", loads: "file_path" },
  {
    names: [
      ...["read_file", "read_many_files", "read_multiple_files", "read_text_file", "read_lines"],
      ...[
        "view",
        "view_file",
        "view_code",
        "view_image",
        "view_media",
        "read_media_file",
        "notebook_read",
        "cat",
      ],
    ],
    kind: "read",
  },
  // SWE-agent's window onto the open file: 100 lines by default.
  { names: ["open"], kind: "read", range: { from: "line_number", window: 100 } },
  { names: ["goto", "scroll_up", "scroll_down"], kind: "read" },
  {
    names: ["write", "write_file", "write_to_file", "create", "create_file", "new_file"],
    kind: "write",
  },
  {
    names: [
      ...[
        "edit",
        "edit_file",
        "multi_edit",
        "replace",
        "replace_in_file",
        "string_replace",
        "str_replace",
        "str_replace_file",
      ],
      ...["search_and_replace", "search_replace", "apply_diff", "insert", "insert_content", "append_content"],
      ...["replace_string_in_file", "multi_replace_string_in_file", "insert_edit_into_file", "reapply"],
      ...["apply_patch", "patch", "multi_apply_diff", "undo_edit"],
    ],
    kind: "edit",
  },
  {
    names: ["notebook_edit", "edit_notebook"],
    kind: "edit",
    identifying: ["cell_id", "cell_number", "edit_mode"],
  },
  {
    names: ["move_file", "rename_file"],
    kind: "edit",
    path: ["destination", "new_path"],
    identifying: "source",
  },
  { names: ["delete_file", "remove_file", "delete"], kind: "delete" },
  {
    names: ["str_replace_editor", "str_replace_based_edit_tool", "text_editor", "file_editor", "memory"],
    kind: "edit",
    kindBy: { field: "command", kinds: EDITOR_COMMANDS },
  },
  {
    names: ["json_edit_tool"],
    kind: "edit",
    kindBy: { field: "operation", kinds: { view: "search" } },
    identifying: ["file_path", "json_path"],
  },
];
