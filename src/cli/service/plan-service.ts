import { readFileSync } from "node:fs";
import { packageFile } from "../../basics/package-file.ts";
import { askWho } from "../check-proxies.ts";
import { Failure } from "../failure.ts";
import {
  applyChanges,
  type ChangeOutcome,
  type Planned,
  planChanges,
  undoChanges,
} from "../setup/apply-changes.ts";
import type { FileChange } from "../setup/change.ts";
import type { CoppiceProgram } from "./coppice-program.ts";
import { runCommands, runQuietly } from "./run-commands.ts";
import { ownFilesOf, readService, serviceFiles } from "./service-files.ts";
import {
  findSupervisor,
  isEnabled,
  isServiceThere,
  removeLink,
  type ServicePlace,
  type Supervisor,
} from "./supervisor.ts";

export type ServicePlan =
  | {
      readonly kind: "planned";
      readonly supervisor: Supervisor;
      readonly changes: readonly FileChange[];
      readonly planned: readonly Planned[];
      /** The service existed before, and is written again. */
      readonly isOld: boolean;
    }
  /** The service is up to date and runs. */
  | { readonly kind: "there"; readonly supervisor: Supervisor }
  | { readonly kind: "none"; readonly why: string };

export interface ServiceOptions {
  readonly place: ServicePlace;
  readonly program: CoppiceProgram;
  /** The address to listen at. */
  readonly url: string;
  /** Options of `coppice proxy`. `undefined` keeps those of an existing service. */
  readonly proxyOptions: readonly string[] | undefined;
}

/** @throws if the service would not work */
export async function planService({
  place,
  program,
  url,
  proxyOptions,
}: ServiceOptions): Promise<ServicePlan> {
  const { hostname, port, pathname } = new URL(url);
  if (!["127.0.0.1", "localhost"].includes(hostname) || pathname !== "/")
    return { kind: "none", why: `You run the proxy at ${url} yourself.` };
  const supervisor = findSupervisor(place);
  const why = supervisor
    ? runQuietly(supervisor.probe, place.env)
    : `Coppice supports no service on ${place.platform}`;
  if (!supervisor || why !== undefined)
    return {
      kind: "none",
      why: `it can't be set up here (${why}). Keep \`coppice proxy\` running yourself.`,
    };
  if (program.runner !== undefined)
    throw new Failure(
      `Nothing was changed: this Coppice is in the cache of ${program.runner}. If the cache is emptied, the service stops working. Install Coppice first: npm install -g coppice. Or keep \`coppice proxy\` running yourself: --no-service`,
    );
  const before = readService(supervisor);
  const settings = { port: Number(port || 80), options: proxyOptions ?? before?.options ?? [] };
  const code = readFileSync(packageFile("cli/service/service-main.js"), "utf8");
  const changes = serviceFiles(supervisor, program, settings, place.env, code);
  const planned = await planChanges(changes);
  const isOld = isServiceThere(supervisor);
  const isActive = runQuietly(supervisor.isActive, place.env) === undefined;
  if (isActive && isEnabled(supervisor) && planned.every(({ changed }) => !changed))
    return { kind: "there", supervisor };
  if (!isActive && (await askWho(url)).kind !== "none")
    throw new Failure(
      `Nothing was changed: another program already answers at ${url}. If it is \`coppice proxy\`, stop it and try again, or keep it: --no-service. Otherwise, choose another port: --url http://127.0.0.1:8788`,
    );
  return { kind: "planned", supervisor, changes, planned, isOld };
}

/** The longest time that a proxy may take to start, in milliseconds. */
const PATIENCE = 20_000;

/** Writes and starts the service. @throws if it does not run then; a new service is removed again */
export async function startService(
  { supervisor, planned, isOld }: Extract<ServicePlan, { kind: "planned" }>,
  url: string,
  place: ServicePlace,
): Promise<void> {
  await applyChanges(planned);
  const complaint =
    runCommands(supervisor.start, place.env) ??
    ((await answers(url)) ? undefined : `it does not answer at ${url}; its log: ${supervisor.log}`);
  if (complaint === undefined) return;
  if (!isOld) await removeService(supervisor, place);
  throw new Failure(
    `The service does not start, so no agent's settings were changed: ${complaint}. To do without a service: --no-service`,
  );
}

async function answers(url: string): Promise<boolean> {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end) {
    const { kind } = await askWho(url);
    if (kind === "coppice") return true;
    if (kind === "stand-in") return false;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}

/** Returns true if the service runs, or would run after the next login. */
export function isServiceOn(supervisor: Supervisor, { env }: ServicePlace): boolean {
  if (!isServiceThere(supervisor)) return false;
  return runQuietly(supervisor.isActive, env) === undefined || isEnabled(supervisor);
}

/** Stops the service and deletes its files. Returns the outcome for each file, with the reason if it stays. */
export async function removeService(
  supervisor: Supervisor,
  { env }: ServicePlace,
): Promise<readonly ChangeOutcome[]> {
  const isThere = isServiceThere(supervisor);
  if (isThere) runCommands(supervisor.stop, env);
  const outcomes = await undoChanges(ownFilesOf(supervisor));
  removeLink(supervisor);
  if (isThere) runCommands(supervisor.forget, env);
  return outcomes;
}
