import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { measureRate } from "../../analysis/prefix-rate.ts";
import { reportPrefix } from "../../analysis/prefix-report.ts";
import type { SessionUse } from "../../analysis/session-use.ts";
import { listHistories } from "../../analysis/tool-history.ts";
import { describeError } from "../../basics/issue.ts";
import type { Config } from "../../config/config.ts";
import { profilePricedAs } from "../../models/profile-for.ts";
import { loadTokenizer } from "../../models/tokenizers.ts";
import { compareInventories } from "../../prefix/compare-inventories.ts";
import { type Inventory, takeInventory } from "../../prefix/inventory.ts";
import type { PrefixPiece } from "../../prefix/piece.ts";
import { readPrefix } from "../../prefix/read-prefix.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import type { Client, ClientPlace } from "../clients/client.ts";
import { Failure } from "../failure.ts";
import { openPrivateFolder } from "../private-folder.ts";
import { findProgram } from "../run-client.ts";
import type { ContextReport } from "./context-report.ts";
import { findUses } from "./find-uses.ts";
import { keepLook, readLastLook } from "./inventory-store.ts";
import type { Probe } from "./probe.ts";
import { runProbe } from "./run-probe.ts";

/** The prompt for the client. */
const PROMPT = "Say: done";

export interface LookTerms {
  readonly args: readonly string[];
  readonly isRemote: boolean;
  readonly config: Config;
  /** Did we choose the prompt? Other commands choose their own. */
  readonly isExplicit: boolean;
}

/**
 * The text that a client sends before the first message: found by starting it, and compared with the last result.
 */
export async function lookAtClient(client: Client, probe: Probe, terms: LookTerms): Promise<ContextReport> {
  const { args, isRemote, config, isExplicit } = terms;
  const place = currentPlace();
  const file = findProgram(client.program, place.env.PATH);
  if (file === undefined)
    throw new Failure(`${client.program} was not found in your PATH: ${client.install}`);
  const folder = openPrivateFolder();
  try {
    const [{ request, refused }, uses] = await Promise.all([
      runProbe({ client, probe, file, args, prompt: PROMPT, place, isRemote }, folder),
      findUses(client, probe),
    ]);
    const { wire, body, model } = request;
    const servers = probe.servers(place);
    const pieces = readPrefix(body, { wire, servers, ...(isExplicit && { prompt: PROMPT }) }) ?? [];
    const look = await count(nameFiles(pieces, place), model, config);
    return compile({ client, probe, place, config, uses, refused, look });
  } finally {
    folder.dispose();
  }
}

export function currentPlace(): ClientPlace {
  return { env: process.env, home: homedir(), directory: process.cwd() };
}

interface Counted extends Pick<ContextReport, "counted" | "billed"> {
  readonly inventory: Inventory;
}

async function count(
  pieces: readonly PrefixPiece[],
  model: string | undefined,
  config: Config,
): Promise<Counted> {
  const { prices, model: pricedAs } = config.schedule;
  const profile = profilePricedAs(model, pricedAs, prices);
  const tokenizer = await loadTokenizer(profile.tokenizer).catch(() => undefined);
  const inventory = takeInventory(pieces, model, (text) => tokenizer?.count(text) ?? estimateTokens(text));
  const tokens = inventory.items.reduce((sum, item) => sum + item.tokens, 0);
  const estimate = pieces.reduce((sum, { text }) => sum + estimateTokens(text), 0);
  const billed = tokens === 0 ? 1 : (profile.tokensPerEstimate * estimate) / tokens;
  return { inventory, counted: tokenizer?.name ?? "estimate", billed };
}

interface Findings {
  readonly client: Client;
  readonly probe: Probe;
  readonly place: ClientPlace;
  readonly config: Config;
  readonly uses: readonly SessionUse[];
  readonly refused: readonly string[];
  readonly look: Counted;
}

function compile({ client, probe, place, config, uses, refused, look }: Findings): ContextReport {
  const { inventory, counted, billed } = look;
  const project = place.directory;
  const time = Date.now();
  const { prices, model: pricedAs } = config.schedule;
  const rate = measureRate(uses, time, (model) => profilePricedAs(model, pricedAs, prices));
  const prefix = reportPrefix(inventory, {
    histories: listHistories(uses, project),
    rate,
    billed,
    switchOff: (item) => probe.switchOff(item, place),
    switchOffServer: (server) => probe.switchOffServer?.(server, place),
  });
  const last = readLastLook(client.name, project);
  const trouble = attemptToKeep(() => keepLook(client.name, project, { time, billed, ...inventory }));
  return {
    ...{ client: client.name, title: client.title, project, time, prefix, counted, billed, refused },
    ...(trouble !== undefined && { trouble }),
    ...(last && { changes: { since: last.time, list: compareInventories(last.items, inventory.items) } }),
  };
}

/** The result is more important than storing it for the next comparison. */
function attemptToKeep(keep: () => void): string | undefined {
  try {
    keep();
    return undefined;
  } catch (error) {
    return `this result was not saved to compare the next one with: ${describeError(error)}`;
  }
}

/** If a client does not name the file of a text, adds the file that contains it. */
function nameFiles(pieces: readonly PrefixPiece[], { directory, home }: ClientPlace): readonly PrefixPiece[] {
  const files = MEMORY_FILES.flatMap((name) => [join(directory, name), join(home, name)])
    .filter((file) => existsSync(file))
    .map((file) => ({ file, text: readFileSync(file, "utf8").trim() }))
    .filter(({ text }) => text !== "");
  return pieces.map((piece) => {
    if (piece.group !== "memory files" || !piece.name.startsWith("unnamed ")) return piece;
    const found = files.find(({ text }) => piece.text.includes(text));
    return found ? { ...piece, name: found.file } : piece;
  });
}

const MEMORY_FILES = [
  ...["AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md"],
  ".copilot/copilot-instructions.md",
];
