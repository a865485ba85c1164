import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the project seems to live in the recording. */
export const HOME = "/home/dev/discount-service";

const PROJECT = fileURLToPath(new URL("../discount-service", import.meta.url));

const HISTORY = [
  [
    "2025-11-03T09:12:41Z",
    "Money, cart and catalog",
    ["package.json", "src/money.js", "src/cart.js", "src/catalog.js"],
  ],
  [
    "2025-11-19T15:47:03Z",
    "Promotions and coupons",
    ["src/rules", "src/coupons.js", "src/customers.js", "config"],
  ],
  ["2025-12-08T10:30:55Z", "Orders, refunds and the HTTP routes", ["src"]],
  ["2026-01-19T17:05:18Z", "Replay a week of recorded orders", ["."]],
];

/** A fresh copy of the project with a git history, in a temporary folder. */
export function openWorkspace() {
  const temporary = realpathSync(mkdtempSync(join(tmpdir(), "coppice-sample-")));
  const root = join(temporary, "discount-service");
  cpSync(PROJECT, root, { recursive: true });
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath ?? entry.path, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
  const environment = {
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
    HOME: temporary,
    LC_ALL: "C",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_PAGER: "cat",
  };
  const workspace = { root, run, commit, close: () => rmSync(temporary, { recursive: true, force: true }) };
  git("init", "--quiet", "--object-format=sha1", "--initial-branch=main");
  for (const [date, message, paths] of HISTORY) commit(date, message, paths);
  return workspace;

  /** Runs a command line as the agent would, and makes what it prints independent of machine and hour. */
  function run(command) {
    const { status, stdout, stderr } = spawnSync("bash", ["-c", command], {
      cwd: root,
      env: environment,
      encoding: "utf8",
    });
    return { status, stdout: neutralize(stdout, root), stderr: neutralize(stderr, root) };
  }

  function commit(date, message, paths = ["."]) {
    git("add", ...paths);
    const who = ["-c", "user.name=Mira Lang", "-c", "user.email=mira@example.test"];
    Object.assign(environment, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    git(...who, "commit", "--quiet", "-m", message);
  }

  function git(...args) {
    const { status, stderr } = spawnSync("git", args, { cwd: root, env: environment, encoding: "utf8" });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  }
}

/** Paths, times and Node's own stack frames differ from machine to machine. */
function neutralize(text, root) {
  return text
    .replaceAll(root, HOME)
    .replace(/^(.*) \(\d+\.\dms\)$/gm, (_, line) => `${line} (${steadyTime(line)}ms)`)
    .replace(`Could not find '${HOME}/`, "Could not find '")
    .replace(/duration_ms \d+/g, `duration_ms ${170 + 16 * text.split("\n").length}`)
    .replace(/^ +at .*node:internal.*\n/gm, "")
    .replace(/^Node\.js v.*$/gm, "Node.js v20.19.5");
}

/** Always the same plausible milliseconds for the same line. */
function steadyTime(line) {
  const [a, b] = createHash("sha256").update(line).digest();
  return ((a % 12) / 10 + (b < 20 ? 3.1 : 0.2)).toFixed(1);
}
