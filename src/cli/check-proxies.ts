import { existsSync } from "node:fs";
import { isRecord } from "../basics/json.ts";
import { isLoopback } from "../hosts/proxy/is-loopback.ts";
import type { Address, Client, ClientPlace } from "./clients/client.ts";
import { CLIENTS } from "./clients/clients.ts";
import { textAt } from "./clients/read-settings-file.ts";
import type { Finding } from "./finding.ts";
import { backupOf } from "./setup/apply-changes.ts";
import { SETUPS } from "./setup/setups.ts";

/** The longest wait for a server on this machine, in milliseconds. */
const PATIENCE = 2_000;
const USUAL_PORT = "8787";

/** The server at an address: Coppice, none, or another. */
type Answer =
  | { readonly kind: "coppice"; readonly version: string }
  /** The service, which can't start the proxy: why. */
  | { readonly kind: "stand-in"; readonly message: string }
  | { readonly kind: "none" | "other" };

/** Checks whether agents whose settings name a proxy reach it. */
export async function checkProxies(place: ClientPlace): Promise<readonly Finding[]> {
  const answers = new Map<string, Promise<Answer>>();
  const askOnce = (url: string): Promise<Answer> => {
    const { origin } = new URL(url);
    const answer = answers.get(origin) ?? askWho(origin);
    answers.set(origin, answer);
    return answer;
  };
  const findings = await Promise.all(CLIENTS.map((client) => checkClient(client, place, askOnce)));
  const usual = `http://127.0.0.1:${USUAL_PORT}`;
  const isSeen = [...answers.keys()].some((origin) => new URL(origin).port === USUAL_PORT);
  // Several clients may read the same variable.
  const byAddress = new Map(
    findings
      .flat()
      .toReversed()
      .map((finding) => [finding.found, finding]),
  );
  return [
    ...[...byAddress.values()].toReversed(),
    ...(isSeen ? [] : describeUsual(usual, await askOnce(usual))),
  ];
}

async function checkClient(
  client: Client,
  place: ClientPlace,
  ask: (url: string) => Promise<Answer>,
): Promise<readonly Finding[]> {
  const what = `proxy of ${client.title}`;
  const addresses = client.addresses(place).filter(({ url }) => URL.canParse(url));
  const findings: Finding[] = [];
  for (const upstream of new Set(addresses.map((address) => address.upstream))) {
    const [first, ...others] = addresses.filter((address) => address.upstream === upstream);
    if (!first) continue;
    const ours = others.find((address) => isOurs(address));
    if (ours && !isOurs(first)) {
      findings.push({
        state: "problem",
        what,
        found: `${first.where} sets ${first.url}, which takes precedence over the proxy in ${ours.where}`,
        advice: `remove it there and pass it to the proxy: coppice proxy --upstream ${upstream}=${first.url}`,
      });
      continue;
    }
    if (!isOurs(first)) continue;
    const answer = await ask(first.url);
    findings.push(describeAnswer(client, first, answer));
    if (answer.kind !== "coppice") continue;
    for (const detour of client.detours?.(place) ?? [])
      findings.push({
        state: "problem",
        what,
        found: `requests bypass the proxy: ${detour}`,
        advice: `without that, it would use the proxy; if this is not intended, remove the address: ${undo(client, first)}`,
      });
  }
  return findings;
}

function describeAnswer(client: Client, { url, where }: Address, answer: Answer): Finding {
  const what = `proxy of ${client.title}`;
  const { origin, port, hostname } = new URL(url);
  const start = isLoopback(hostname)
    ? `start it: coppice proxy --port ${port || "80"}`
    : "check that it runs and can be reached from here";
  switch (answer.kind) {
    case "coppice":
      return { state: "ok", what, found: `coppice ${answer.version} at ${origin}, from ${where}` };
    case "none":
      return {
        state: "problem",
        what,
        found: `${where} points to ${origin}, where nothing answers`,
        advice: `${start}; or remove the address: ${undo(client, { where })}`,
      };
    case "stand-in":
      return {
        state: "problem",
        what,
        found: `${where} points to ${origin}, where no proxy answers, but its service: ${answer.message}`,
        advice: `to work without it: ${undo(client, { where })}`,
      };
    case "other":
      return {
        state: "problem",
        what,
        found: `${where} points to ${origin}, where a program other than Coppice answers`,
        advice: `stop that program, or let the proxy listen on another port: coppice proxy --port, and ${undo(client, { where })}`,
      };
  }
}

function describeUsual(url: string, answer: Answer): readonly Finding[] {
  if (answer.kind === "none") return [];
  if (answer.kind === "coppice")
    return [{ state: "ok", what: "proxy", found: `coppice ${answer.version} at ${url}` }];
  const advice = "coppice proxy --port 8788 uses another port; coppice wrap picks any free port";
  return [
    {
      state: "hint",
      what: "proxy",
      found: `a program other than Coppice uses port ${USUAL_PORT}`,
      advice,
    },
  ];
}

/**
 * Is it an address that `coppice init` has written, or that looks like ours? Another server may also be on this
 * machine.
 */
function isOurs({ url, where }: Address): boolean {
  const { hostname, port, pathname } = new URL(url);
  if (pathname.startsWith("/~")) return true;
  return isLoopback(hostname) && (port === USUAL_PORT || existsSync(backupOf(where)));
}

/** `unset ANTHROPIC_BASE_URL`, `coppice remove claude` */
function undo({ name }: Client, { where }: Pick<Address, "where">): string {
  if (/^[A-Z_]+$/.test(where)) return `unset ${where}`;
  return Object.hasOwn(SETUPS, name) ? `coppice remove ${name}` : `edit ${where}`;
}

export async function askWho(origin: string): Promise<Answer> {
  try {
    const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(PATIENCE) });
    const reply: unknown = await response.json().catch(() => undefined);
    if (isRecord(reply) && reply.name === "coppice")
      return { kind: "coppice", version: String(reply.version) };
    const message = isRecord(reply) ? textAt(reply, "error", "message") : undefined;
    return message?.startsWith("coppice: ") ? { kind: "stand-in", message } : { kind: "other" };
  } catch (error) {
    return { kind: error instanceof Error && error.name === "TimeoutError" ? "other" : "none" };
  }
}
