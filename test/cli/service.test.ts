import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DOMParser } from "linkedom";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkService, checkStatusLine } from "../../src/cli/check-service.ts";
import { type CoppiceProgram, findCoppiceProgram } from "../../src/cli/service/coppice-program.ts";
import { planService, removeService, startService } from "../../src/cli/service/plan-service.ts";
import { readService, serviceFiles } from "../../src/cli/service/service-files.ts";
import { findSupervisor, type ServicePlace, type Supervisor } from "../../src/cli/service/supervisor.ts";
import { applyChanges, planChanges } from "../../src/cli/setup/apply-changes.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-service-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function placeOn(platform: NodeJS.Platform, env: Readonly<Record<string, string>> = {}): ServicePlace {
  return { env: { PATH: process.env.PATH, ...env }, home, directory: home, platform, uid: 501 };
}

function supervisorOn(platform: NodeJS.Platform): Supervisor {
  return findSupervisor(placeOn(platform)) as Supervisor;
}

function write(path: string, text: string): string {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
  return join(home, path);
}

const ODD: CoppiceProgram = {
  node: "/opt/a b%$x/node",
  main: '/home/ada/q"uo\\te <&> é $HOME %h/main.js',
  isInPath: false,
  runner: undefined,
};
const PROXY = { HTTPS_PROXY: 'http://ada:secret@proxy:3128/?a="%b"&c', PWD: "/", NO_PROXY: "" };

/** Writes the files of a service; gives what people are shown of them. */
async function writeService(
  platform: NodeJS.Platform,
  program: CoppiceProgram,
  options: readonly string[] = [],
) {
  const supervisor = supervisorOn(platform);
  const changes = serviceFiles(supervisor, program, { port: 8788, options }, PROXY, "// program\n");
  await applyChanges(await planChanges(changes));
  return { supervisor, changes, text: readFileSync(supervisor.unit, "utf8") };
}

describe("the unit of systemd", () => {
  test("says every word as it is", async () => {
    const { supervisor, text } = await writeService("linux", ODD, ["--upstream", "a=https://b"]);
    expect(text).toContain(
      `ExecStart="/opt/a b%%$x/node" "${supervisor.script}" "/home/ada/q\\"uo\\\\te <&> é $$HOME %%h/main.js" "8788" "--upstream" "a=https://b"\n`,
    );
    expect(text).toContain('Environment="HTTPS_PROXY=http://ada:secret@proxy:3128/?a=\\"%%b\\"&c"\n');
    expect(text).not.toMatch(/PWD|NO_PROXY/);
  });

  test.runIf(existsSync("/usr/bin/systemd-analyze"))("is one that systemd takes", async () => {
    const node = write("a b%$x/node", "#!/bin/sh\n");
    chmodSync(node, 0o755);
    const { supervisor } = await writeService("linux", { ...ODD, node });
    const { status, stderr } = spawnSync("systemd-analyze", ["--user", "verify", supervisor.unit], {
      env: { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: home },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });
});

test("the plist of launchd is XML that says every word as it is", async () => {
  const { supervisor, text } = await writeService("darwin", ODD);
  const root = new DOMParser().parseFromString(text, "text/xml").querySelector("plist > dict");
  const [keys, values] = [0, 1].map((odd) => [...(root?.children ?? [])].filter((_, i) => i % 2 === odd));
  const value = (key: string) => values?.[keys?.findIndex(({ textContent }) => textContent === key) ?? -1];
  expect(value("Label")?.textContent).toBe("coppice.proxy");
  expect([...(value("ProgramArguments")?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    ODD.node,
    supervisor.script,
    ODD.main,
    "8788",
  ]);
  expect([...(value("EnvironmentVariables")?.children ?? [])].map(({ textContent }) => textContent)).toEqual([
    "HTTPS_PROXY",
    PROXY.HTTPS_PROXY,
  ]);
  expect(value("RunAtLoad")?.tagName).toBe("true");
  expect(value("KeepAlive")?.tagName).toBe("true");
});

const READ_PLIST = "import plistlib, sys, json; print(json.dumps(plistlib.load(open(sys.argv[1], 'rb'))))";

test.runIf(spawnSync("python3", ["--version"]).status === 0)(
  "and one that a parser of plists takes",
  async () => {
    const { supervisor } = await writeService("darwin", ODD, ["--upstream", "a=https://b"]);
    const { stdout } = spawnSync("python3", ["-c", READ_PLIST, supervisor.unit], { encoding: "utf8" });
    expect(JSON.parse(stdout)).toEqual({
      Label: "coppice.proxy",
      ProgramArguments: [ODD.node, supervisor.script, ODD.main, "8788", "--upstream", "a=https://b"],
      EnvironmentVariables: { HTTPS_PROXY: PROXY.HTTPS_PROXY },
      WorkingDirectory: home,
      RunAtLoad: true,
      KeepAlive: true,
      ThrottleInterval: 1,
      ExitTimeOut: 10,
      StandardErrorPath: `${home}/Library/Logs/coppice.log`,
    });
  },
);

describe.each(["linux", "darwin"] as const)("the files of a service on %s", (platform) => {
  test("are read back, and people are shown no password", async () => {
    const { supervisor, changes } = await writeService(platform, ODD, ["--upstream", "a=https://b"]);
    expect(readService(supervisor)).toEqual({
      port: 8788,
      options: ["--upstream", "a=https://b"],
      node: ODD.node,
      main: ODD.main,
    });
    expect(changes.flatMap(({ what }) => what).join("\n")).not.toContain("secret");
  });

  test("are replaced by newer ones, and leave no copy when they go", async () => {
    await writeService(platform, ODD);
    const { supervisor, text } = await writeService(platform, { ...ODD, node: "/usr/bin/node" });
    expect(text).toContain("/usr/bin/node");
    expect((await removeService(supervisor, placeOn(platform))).map(({ changed }) => changed)).toEqual([
      true,
      true,
    ]);
    for (const file of [supervisor.unit, supervisor.script])
      expect([existsSync(file), existsSync(`${file}.before-coppice`)]).toEqual([false, false]);
    expect((await removeService(supervisor, placeOn(platform))).map(({ changed }) => changed)).toEqual([
      false,
      false,
    ]);
  });

  test("that the user has changed are neither replaced nor deleted", async () => {
    const { supervisor, text } = await writeService(platform, ODD);
    writeFileSync(supervisor.unit, `${text}# mine\n`);
    await expect(writeService(platform, { ...ODD, node: "/usr/bin/node" })).rejects.toThrow(
      "move it away first",
    );
    const [unit, script] = await removeService(supervisor, placeOn(platform));
    expect(unit).toMatchObject({ changed: false, problem: expect.stringContaining("delete it yourself") });
    expect(script).toMatchObject({ changed: true });
    expect(readFileSync(supervisor.unit, "utf8")).toBe(`${text}# mine\n`);
  });
});

describe("how Coppice is started again", () => {
  /** A file, and a link to it in a folder of the PATH. */
  function install(main: string, bin: string): { readonly main: string; readonly PATH: string } {
    const file = write(main, "");
    mkdirSync(join(home, bin), { recursive: true });
    symlinkSync(file, join(home, bin, "coppice"));
    return { main: file, PATH: join(home, bin) };
  }

  test("installed for all: by the link, which an update changes", () => {
    const { main, PATH } = install("lib/node_modules/coppice/dist/cli/main.js", "bin");
    expect(findCoppiceProgram({ PATH }, main, "/opt/node")).toEqual({
      node: "/opt/node",
      main: join(home, "bin/coppice"),
      isInPath: true,
      runner: undefined,
    });
  });

  test("Node as well: Homebrew's own folder goes with its version", () => {
    const node = write("Cellar/node/22.1.0/bin/node", "");
    mkdirSync(join(home, "bin"));
    symlinkSync(node, join(home, "bin/node"));
    expect(findCoppiceProgram({ PATH: join(home, "bin") }, "/x/main.js", node).node).toBe(
      join(home, "bin/node"),
    );
  });

  test("from a clone: by its own path", () => {
    const main = write("src/coppice/dist/cli/main.js", "");
    expect(findCoppiceProgram({ PATH: join(home, "bin") }, main)).toMatchObject({ main, isInPath: false });
  });

  test("another coppice in the PATH is not this one", () => {
    const { PATH } = install("lib/node_modules/coppice/dist/cli/main.js", "bin");
    const main = write("src/coppice/dist/cli/main.js", "");
    expect(findCoppiceProgram({ PATH }, main)).toMatchObject({ main, isInPath: false });
  });

  test("links of one shell are not taken", () => {
    const { main, PATH } = install(
      "lib/node_modules/coppice/dist/cli/main.js",
      "run/fnm_multishells/1_2/bin",
    );
    expect(findCoppiceProgram({ PATH }, main)).toMatchObject({ main, isInPath: false });
  });

  test.each([
    [".npm/_npx/0a1b2c3d4e/node_modules/coppice/dist/cli/main.js", "npx"],
    [".cache/pnpm/dlx-1234/node_modules/coppice/dist/cli/main.js", "pnpm dlx"],
    [".cache/pnpm/dlx/0a1b/1-2/node_modules/coppice/dist/cli/main.js", "pnpm dlx"],
    ["bunx-0-coppice@latest/node_modules/coppice/dist/cli/main.js", "bunx"],
  ])("%s is of %s, and not in the PATH for good", (path, runner) => {
    const { main, PATH } = install(path, "bin");
    expect(findCoppiceProgram({ PATH }, main)).toMatchObject({ runner, isInPath: false });
  });
});

describe("planService", () => {
  /** An environment with a `systemctl` that does this. */
  function systemctl(script: string): Readonly<Record<string, string>> {
    chmodSync(write("fake/systemctl", `#!/bin/sh\n${script}\n`), 0o755);
    return { PATH: `${join(home, "fake")}:${process.env.PATH}` };
  }
  const plan = (place: ServicePlace, url = "http://127.0.0.1:1", own: CoppiceProgram = ODD) =>
    planService({ place, program: own, url, proxyOptions: undefined });

  test.each([
    ["a proxy elsewhere", "linux", "http://coppice.test:8787", /You run the proxy at .* yourself/],
    ["a proxy with a token", "linux", "http://127.0.0.1:8787/~token", /You run the proxy at .* yourself/],
    ["another system", "win32", "http://127.0.0.1:1", /no service on win32/],
  ] as const)("no service: %s", async (_, platform, url, why) => {
    expect(await plan(placeOn(platform, systemctl("exit 0")), url)).toEqual({
      kind: "none",
      why: expect.stringMatching(why),
    });
  });

  test("no service if systemd does not answer", async () => {
    const env = systemctl("echo 'Failed to connect to bus' >&2; exit 1");
    expect(await plan(placeOn("linux", env))).toEqual({
      kind: "none",
      why: expect.stringContaining("Failed to connect to bus"),
    });
  });

  test("npx's cache may vanish: refused, with what to do", async () => {
    const place = placeOn("linux", systemctl("exit 0"));
    await expect(plan(place, "http://127.0.0.1:1", { ...ODD, runner: "npx" })).rejects.toThrow(
      /cache of npx.*npm install -g coppice.*--no-service/,
    );
  });
});

test("a service that does not start is gone again, and what systemd said is told", async () => {
  const script = 'case "$*" in *restart*) echo "Job failed." >&2; exit 1;; esac';
  chmodSync(write("fake/systemctl", `#!/bin/sh\necho "$@" >> '${home}/asked'\n${script}\n`), 0o755);
  const place = placeOn("linux", { PATH: `${join(home, "fake")}:${process.env.PATH}` });
  const supervisor = supervisorOn("linux");
  const changes = serviceFiles(supervisor, ODD, { port: 1, options: [] }, {}, "");
  const planned = await planChanges(changes);
  const plan = { kind: "planned", supervisor, changes, planned, isOld: false } as const;
  await expect(startService(plan, "http://127.0.0.1:1", place)).rejects.toThrow(
    "no agent's settings were changed: systemctl --user restart coppice.service: Job failed.",
  );
  expect([existsSync(supervisor.unit), existsSync(supervisor.script)]).toEqual([false, false]);
  expect(readFileSync(join(home, "asked"), "utf8").split("\n")).toEqual([
    "--user daemon-reload",
    "--user enable coppice.service",
    "--user restart coppice.service",
    "--user stop coppice.service",
    "--user disable coppice.service",
    "--user daemon-reload",
    "",
  ]);
});

test("if systemd does not answer, its link goes too", async () => {
  const { supervisor } = await writeService("linux", ODD);
  mkdirSync(dirname(supervisor.link ?? ""));
  symlinkSync(supervisor.unit, supervisor.link ?? "");
  await removeService(supervisor, placeOn("linux", { PATH: "" }));
  expect(readdirSync(dirname(supervisor.link ?? ""))).toEqual([]);
});

describe("doctor", () => {
  test("says nothing of a service where no agent needs one, and names init where one does", async () => {
    expect(await checkService(placeOn("linux"), false)).toEqual([]);
    expect(await checkService(placeOn("linux"), true)).toEqual([
      expect.objectContaining({ state: "hint", advice: expect.stringContaining("coppice init") }),
    ]);
  });

  test("sees that what the service starts is gone", async () => {
    await writeService("linux", { ...ODD, node: process.execPath });
    expect(await checkService(placeOn("linux"), true)).toEqual([
      expect.objectContaining({
        state: "problem",
        found: expect.stringContaining(`${ODD.main}, which does not exist`),
      }),
    ]);
  });

  test.each([
    ["coppice statusline", "problem"],
    ["/nowhere/node /nowhere/main.js statusline", "problem"],
    ["'HOME/a b/node' HOME/coppice/main.js statusline", "ok"],
    ["~/my-line.sh", "ok"],
  ])("status line %s: %s", (line, state) => {
    chmodSync(write("a b/node", ""), 0o755);
    write("coppice/main.js", "");
    const command = line.replaceAll("HOME", home);
    write(".claude/settings.json", JSON.stringify({ statusLine: { type: "command", command } }));
    expect(checkStatusLine(placeOn("linux", { PATH: "" }), true)).toEqual([
      expect.objectContaining({ state }),
    ]);
  });
});
