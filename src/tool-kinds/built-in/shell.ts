import type { ToolKindEntry } from "../tool-kind-entry.ts";

/** Tools that run something. */
export const shellTools: readonly ToolKindEntry[] = [
  {
    names: [
      ...[
        "bash",
        "shell",
        "sh",
        "terminal",
        "shell_command",
        "exec_command",
        "container.exec",
        "execute_bash",
      ],
      ...[
        "execute_command",
        "execute",
        "run",
        "run_shell",
        "run_shell_command",
        "run_command",
        "run_commands",
      ],
      ...["run_terminal_cmd", "run_in_terminal"],
    ],
    kind: "shell",
  },
  { names: ["local_shell", "local_shell_call"], kind: "shell", within: "action" },
  { names: ["powershell", "pwsh", "cmd", "write_powershell"], kind: "shell", foreign: true },
  {
    names: ["python", "ipython", "run_python", "execute_python", "execute_ipython_cell", "run_ipython"],
    kind: "shell",
    command: "code",
    foreign: true,
  },
  { names: ["exec"], kind: "shell", script: true },
  // These talk to a running command, or end it.
  {
    names: [
      ...[
        "bash_output",
        "write_stdin",
        "kill_shell",
        "kill_bash",
        "read_bash",
        "write_bash",
        "stop_bash",
        "list_bash",
      ],
      ...["get_terminal_output", "read_terminal", "command_status", "read_command_output"],
    ],
    kind: "shell",
    command: [],
    identifying: ["bash_id", "shell_id", "session_id", "chars", "input"],
  },
];
