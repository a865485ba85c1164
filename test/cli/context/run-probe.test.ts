import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { anyCommand } from "../../../src/cli/clients/any-command.ts";
import type { Probe } from "../../../src/cli/context/probe.ts";
import { ANY } from "../../../src/cli/context/probes.ts";
import { runProbe } from "../../../src/cli/context/run-probe.ts";
import { openPrivateFolder } from "../../../src/cli/private-folder.ts";
import { useFolder } from "../use-folder.ts";

const folder = useFolder("coppice-probe-");

/** A client that runs a script of Node. */
async function run(script: string, over: Partial<Probe> = {}, env: Readonly<Record<string, string>> = {}) {
  const program = folder.write("agent", `#!${process.execPath}\n${script}`);
  chmodSync(program, 0o755);
  const [home, directory] = [join(folder.path, "home"), join(folder.path, "project")];
  mkdirSync(home, { recursive: true });
  mkdirSync(directory, { recursive: true });
  const kept = openPrivateFolder(folder.path);
  try {
    return await runProbe(
      {
        ...{
          client: anyCommand(program, []),
          probe: { ...ANY, ...over },
          file: program,
          args: [],
          prompt: "Go",
        },
        ...{
          place: { env: { PATH: process.env.PATH, HOME: home, ...env }, home, directory },
          isRemote: false,
        },
      },
      kept,
    );
  } finally {
    kept.dispose();
  }
}

const ASK = `
const { writeFileSync, readFileSync, mkdirSync } = require("node:fs");
const ask = (body) => fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body: JSON.stringify(body) });
`;

test("finds the first request with tools, ends the client, and leaves the home folder unchanged", async () => {
  folder.write("home/.agent/settings.json", '{"mine":true}');
  const { request } = await run(
    `${ASK}
(async () => {
  const settings = readFileSync(process.env.HOME + "/.agent/settings.json", "utf8");
  writeFileSync(process.env.HOME + "/.agent/settings.json", "changed");
  writeFileSync(process.env.HOME + "/.agent/new", "new");
  writeFileSync(process.env.HOME + "/.another", "new");
  await ask({ model: "m", messages: [{ role: "user", content: "title?" }] });
  await ask({ model: "m", messages: [{ role: "user", content: settings + process.env.HOME }], tools: [{ name: "a" }] });
  setInterval(() => {}, 1000);
})();`,
    { state: [{ path: ".agent" }] },
  );
  const home = join(folder.path, "home");
  const { messages } = JSON.parse(request.body);
  expect(messages[0].content).toBe(`{"mine":true}${home}`);
  expect(readFileSync(join(home, ".agent/settings.json"), "utf8")).toBe('{"mine":true}');
  expect(readdirSync(home)).toEqual([".agent"]);
  expect(readdirSync(join(home, ".agent"))).toEqual(["settings.json"]);
  expect(readdirSync(folder.path).filter((name) => name.startsWith("coppice-wrap-"))).toEqual([]);
});

test("folders that variables name are also replaced, and Coppice's own data is out of reach", async () => {
  folder.write("data/agent/state.json", "{}");
  folder.write("data/coppice/journal.db", "ours");
  folder.write("elsewhere/settings.json", "mine");
  const { request } = await run(
    `${ASK}
const data = process.env.XDG_DATA_HOME;
mkdirSync(data + "/coppice", { recursive: true });
writeFileSync(data + "/coppice/journal.db", "theirs");
writeFileSync(data + "/agent/state.json", "changed");
writeFileSync(process.env.AGENT_HOME + "/settings.json", "changed");
ask({ model: "m", messages: [], tools: [{ name: "a" }] });`,
    { state: [{ path: ".local/share/agent" }, { path: ".agent", variable: "AGENT_HOME" }] },
    { XDG_DATA_HOME: join(folder.path, "data"), AGENT_HOME: join(folder.path, "elsewhere") },
  );
  expect(request.hasTools).toBe(true);
  const read = (path: string) => readFileSync(join(folder.path, path), "utf8");
  expect(["data/coppice/journal.db", "data/agent/state.json", "elsewhere/settings.json"].map(read)).toEqual([
    "ours",
    "{}",
    "mine",
  ]);
});

test("removes files that the client creates in the project, unless they existed before", async () => {
  const script = `${ASK}
for (const name of ["left", "there"]) writeFileSync(name, "x");
ask({ model: "m", messages: [], tools: [{ name: "a" }] });`;
  folder.write("project/there", "mine");
  await run(script, { leavings: ["left", "there"] });
  expect(existsSync(join(folder.path, "project/left"))).toBe(false);
  expect(existsSync(join(folder.path, "project/there"))).toBe(true);
});

test("a request without tools is better than none", async () => {
  const { request } = await run(`${ASK} ask({ model: "m", messages: [{ role: "user", content: "x" }] });`);
  expect(request).toMatchObject({ model: "m", hasTools: false });
});

test("a client that sends nothing ends the command with its own output", async () => {
  await expect(run('console.error("Please log in."); process.exit(3);')).rejects.toThrow(
    /ended without a request\. It said:\s+Please log in\./,
  );
});

test("requests to other machines are refused, and named", async () => {
  const { refused } = await run(`${ASK}
const http = require("node:http");
const { port } = new URL(process.env.HTTPS_PROXY);
http.request({ port, method: "CONNECT", path: "telemetry.example:443" })
  .on("connect", () => ask({ model: "m", messages: [], tools: [{ name: "a" }] })).end();`);
  expect(refused).toEqual(["telemetry.example"]);
});

test("a home folder with much in it is linked, not copied", async () => {
  for (let i = 0; i < 50; i++) writeFileSync(folder.write(`home/big-${i}/file`, ""), "x");
  const { request } = await run(`${ASK}
const { lstatSync } = require("node:fs");
ask({ model: "m", messages: [{ role: "user", content: String(lstatSync(process.env.HOME + "/big-7").isSymbolicLink()) }], tools: [{ name: "a" }] });`);
  expect(JSON.parse(request.body).messages[0].content).toBe("true");
});
