import type { ToolKindEntry } from "../tool-kind-entry.ts";

const TODO_FIELDS = [
  "task_id",
  "id",
  "todo_id",
  "subject",
  "description",
  "content",
  "text",
  "title",
  "status",
];

/** Tools for the work itself: plans, subagents, skills, questions, the context. */
export const planningTools: readonly ToolKindEntry[] = [
  {
    names: [
      ...[
        "todo_write",
        "todo_read",
        "todo_list",
        "write_todos",
        "read_todos",
        "set_todo_list",
        "update_todo_list",
      ],
      ...["manage_todo_list", "update_plan", "task_tracker", "task_list"],
    ],
    kind: "todo",
  },
  // Lists that change item by item: no later call repeats the data of an earlier one.
  {
    names: ["task_create", "task_update", "task_get", "todo_add", "todo_update"],
    kind: "todo",
    partial: true,
    identifying: TODO_FIELDS,
  },
  { names: ["todo_complete"], kind: "todo", partial: true, sets: "completed", identifying: TODO_FIELDS },
  { names: ["todo_remove"], kind: "todo", partial: true, sets: "cancelled", identifying: TODO_FIELDS },
  {
    names: [
      ...[
        "task",
        "agent",
        "subagent",
        "new_task",
        "run_subagent",
        "dispatch_agent",
        "spawn_agent",
        "send_input",
      ],
      ...[
        "wait_agent",
        "close_agent",
        "resume_agent",
        "task_output",
        "agent_output",
        "task_stop",
        "spawn_task",
      ],
    ],
    kind: "task",
  },
  { names: ["skill", "use_skill", "activate_skill", "list_skills", "load_skill"], kind: "skill" },
  { names: ["context_prune", "context_info"], kind: "context" },
  { names: ["context_recall"], kind: "context", partial: true },
  { names: ["plan_exit", "exit_plan_mode"], kind: "other", plan: true },
  // Named here because the words in their names suggest another kind.
  {
    names: [
      ...["batch", "question", "ask_user", "ask_user_question", "ask_followup_question", "plan_enter"],
      ...["enter_plan_mode", "think", "sequential_thinking", "finish", "submit", "task_done"],
      ...["attempt_completion", "report_intent", "save_memory", "use_mcp_tool", "access_mcp_resource", "sql"],
      ...["run_slash_command", "fetch_instructions", "switch_mode", "invalid"],
    ],
    kind: "other",
  },
];
