import { SEAL } from "../setup/own-file.ts";

/** The content of a service's file, on any system. */
export interface ServiceText {
  /** The program's absolute path, and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A systemd unit that starts with the user's session, and restarts whenever it ends, unless Node is gone (status
 * 203).
 */
export function unitFile({ command, env }: ServiceText): string {
  const [program = "", ...args] = command.map(quote);
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
  return `# Written by coppice init; coppice remove deletes it. ${SEAL}
[Unit]
Description=Coppice, between agents and their models
StartLimitIntervalSec=0

[Service]
ExecStart=${[program, ...args.map((word) => word.replaceAll("$", "$$$$"))].join(" ")}
${variables.map((line) => `${line}\n`).join("")}WorkingDirectory=%h
Restart=always
RestartSec=300ms
RestartPreventExitStatus=203
TimeoutStopSec=10

[Install]
WantedBy=default.target
`;
}

/**
 * Quotes a word for systemd: `%` begins a specifier, `\` an escape. (`$` begins a variable, but not in the program's
 * own path.)
 */
function quote(word: string): string {
  return `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}
