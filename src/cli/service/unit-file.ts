import { SEAL } from "../setup/own-file.ts";

/** What a service's file says, on any system. */
export interface ServiceText {
  /** The program, an absolute path, and what it is given. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A unit of systemd that starts with the user's session, and again whenever it ends; not where Node is gone (status 203). */
export function unitFile({ command, env }: ServiceText): string {
  const [program = "", ...args] = command.map(quote);
  const variables = Object.entries(env).map(([name, value]) => `Environment=${quote(`${name}=${value}`)}`);
  return `# Written by coppice init; coppice remove takes it out again. ${SEAL}
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

/** As systemd reads it: `%` begins a specifier, `\` an escape. (`$` begins a variable, but not in the program's own path.) */
function quote(word: string): string {
  return `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%")}"`;
}
