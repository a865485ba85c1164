import { homedir } from "node:os";
import { Failure } from "../failure.ts";
import { readService } from "../service/service-files.ts";
import { findSupervisor, type ServicePlace } from "../service/supervisor.ts";

export const DEFAULT_URL = "http://127.0.0.1:8787";

export function here(): ServicePlace {
  return {
    env: process.env,
    home: homedir(),
    directory: process.cwd(),
    platform: process.platform,
    uid: process.getuid?.() ?? 0,
  };
}

/** The address of the service, if there is one. */
export function findServiceUrl(place: ServicePlace): string | undefined {
  const supervisor = findSupervisor(place);
  const settings = supervisor && readService(supervisor);
  return settings && `http://127.0.0.1:${settings.port}`;
}

/** Checks the value of `--url`. */
export function readUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^https?:/.test(text) || !URL.canParse(text))
    throw new Failure(`${JSON.stringify(text)} is not an address: use ${DEFAULT_URL}, for example.`, 2);
  return text.replace(/\/$/, "");
}
