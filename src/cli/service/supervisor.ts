import { existsSync, lstatSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ClientPlace } from "../clients/client.ts";
import { plistFile } from "./plist-file.ts";
import type { SystemCommand } from "./run-commands.ts";
import { type ServiceText, unitFile } from "./unit-file.ts";

export interface ServicePlace extends ClientPlace {
  readonly platform: NodeJS.Platform;
  readonly uid: number;
}

/** The system's program that keeps services running in the user's session: systemd or launchd. */
export interface Supervisor {
  /** For people: `systemd user unit coppice.service`. */
  readonly title: string;
  readonly unit: string;
  /** A copy of `service-main`. */
  readonly script: string;
  text(service: ServiceText): string;
  /** The command that checks whether it works here. */
  readonly probe: readonly string[];
  readonly start: readonly SystemCommand[];
  readonly stop: readonly SystemCommand[];
  /** Commands to run when the files are deleted. */
  readonly forget: readonly SystemCommand[];
  readonly isActive: readonly string[];
  /** The link that starts the service with the session, if the system uses one. */
  readonly link?: string;
  /** For people. */
  readonly restart: string;
  readonly log: string;
}

const UNIT = "coppice.service";
const LABEL = "coppice.proxy";

/** Returns `undefined` if Coppice supports no supervisor on this system. */
export function findSupervisor({ env, home, platform, uid }: ServicePlace): Supervisor | undefined {
  const script = join(env.XDG_DATA_HOME || join(home, ".local/share"), "coppice/service.mjs");
  if (platform === "linux") {
    const folder = join(env.XDG_CONFIG_HOME || join(home, ".config"), "systemd/user");
    const systemctl = (...words: readonly string[]): readonly string[] => ["systemctl", "--user", ...words];
    return {
      title: `systemd user unit ${UNIT}`,
      unit: join(folder, UNIT),
      script,
      text: unitFile,
      probe: systemctl("show-environment"),
      start: [
        { command: systemctl("daemon-reload") },
        { command: systemctl("enable", UNIT) },
        { command: systemctl("restart", UNIT) },
      ],
      stop: [
        { command: systemctl("stop", UNIT), mayFail: true },
        { command: systemctl("disable", UNIT), mayFail: true },
      ],
      forget: [{ command: systemctl("daemon-reload"), mayFail: true }],
      isActive: systemctl("is-active", "--quiet", UNIT),
      link: join(folder, "default.target.wants", UNIT),
      restart: `systemctl --user restart ${UNIT}`,
      log: `journalctl --user --unit ${UNIT}`,
    };
  }
  if (platform === "darwin") {
    const unit = join(home, `Library/LaunchAgents/${LABEL}.plist`);
    const domain = `gui/${uid}`;
    const end: SystemCommand = { command: ["launchctl", "bootout", `${domain}/${LABEL}`], mayFail: true };
    return {
      title: `launchd agent ${LABEL}`,
      unit,
      script,
      text: (service) => plistFile(service, { label: LABEL, home }),
      probe: ["launchctl", "print", domain],
      start: [end, { command: ["launchctl", "bootstrap", domain, unit] }],
      stop: [end],
      forget: [],
      isActive: ["launchctl", "print", `${domain}/${LABEL}`],
      restart: `launchctl kickstart -k ${domain}/${LABEL}`,
      log: "~/Library/Logs/coppice.log",
    };
  }
  return undefined;
}

/** Returns true if the service's file, or the link to it, exists. */
export function isServiceThere({ unit, link }: Supervisor): boolean {
  return existsSync(unit) || (link !== undefined && isLink(link));
}

/** Returns true if the service starts with the session. */
export function isEnabled({ link }: Supervisor): boolean {
  return link === undefined || isLink(link);
}

/** Deletes the link directly, in case systemd can't. */
export function removeLink({ link }: Supervisor): void {
  if (link !== undefined && isLink(link)) rmSync(link);
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
