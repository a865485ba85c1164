import { writeSync } from "node:fs";
import { get } from "node:http";
import type { Command } from "commander";
import { isLoopback } from "../hosts/proxy/is-loopback.ts";
import { formatStatusline, type ProxyReply, readFigures } from "./format-statusline.ts";

/*
 * Claude Code starts this after every message. So it loads nothing but what stands above: no commander, no settings, no
 * store. `main.ts` comes straight here.
 */

type Environment = Readonly<Record<string, string | undefined>>;

const USUAL = "http://127.0.0.1:8787";
/** The longest wait for standard input, and for a busy proxy, in milliseconds. */
const PATIENCE = 1_000;
/** The most bytes to read. Claude Code sends about 2 kB, the proxy less. */
const LONGEST = 1_000_000;

export function addStatusline(command: Command): void {
  command
    .addHelpText(
      "after",
      '\nIn ~/.claude/settings.json:\n  "statusLine": { "type": "command", "command": "coppice statusline" }',
    )
    .action(printStatusline);
}

/** Prints the line and ends the process, because standard input or a connection may still be open. */
export async function printStatusline(): Promise<never> {
  const line = await makeStatusline(process.stdin.isTTY ? undefined : process.stdin, process.env);
  try {
    writeSync(1, `${line}\n`);
  } catch {
    // Nobody reads the output.
  }
  process.exit();
}

/** Must not reject. @param input the data from Claude Code; without it, the line is about the day only */
export async function makeStatusline(
  input: NodeJS.ReadableStream | undefined,
  env: Environment,
): Promise<string> {
  const client = parse(input ? await within(PATIENCE, readAll(input), "") : "");
  const { session_id: session } = Object(client) as { readonly session_id?: unknown };
  const pages = findPages(env);
  const reply =
    pages === undefined
      ? "none"
      : await within(
          PATIENCE,
          askProxy(pages, typeof session === "string" ? session : "", env),
          "mute" as const,
        );
  return formatStatusline(client, reply);
}

/**
 * The address of the proxy's own pages: from `wrap`, or else from Claude Code's model address, or else the default.
 * Returns only addresses on this machine.
 */
function findPages({ COPPICE_URL: given, ANTHROPIC_BASE_URL: base }: Environment): string | undefined {
  const address = given || base || USUAL;
  if (!URL.canParse(address)) return undefined;
  const { protocol, hostname, origin, pathname } = new URL(address);
  // The path begins with the token. The provider's name follows.
  const [token = ""] = /^\/~[^/]+/.exec(pathname) ?? [];
  return protocol === "http:" && isLoopback(hostname) ? `${origin}${token}` : undefined;
}

/** Resolves to the promise's value, or to `late` if it rejects or does not resolve in time. */
function within<T, L>(milliseconds: number, promise: Promise<T>, late: L): Promise<T | L> {
  const timer = new Promise<L>((resolve) => setTimeout(resolve, milliseconds, late));
  return Promise.race([promise.catch(() => late), timer]);
}

function askProxy(
  pages: string,
  session: string,
  { COPPICE_TOKEN: token }: Environment,
): Promise<ProxyReply> {
  return new Promise((resolve, reject) => {
    const address = `${pages}/coppice/statusline?session=${encodeURIComponent(session)}`;
    const headers = token ? { "x-coppice-token": token } : {};
    get(address, { headers }, (response) => {
      const figures = readAll(response).then((text) => readFigures(parse(text)) ?? "mute");
      resolve(figures);
    }).on("error", (error) =>
      "code" in error && error.code === "ECONNREFUSED" ? resolve("none") : reject(error),
    );
  });
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunk.length;
    if (size > LONGEST) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
