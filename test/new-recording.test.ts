import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";

/** A copy of the sources, so that a recording can be added. */
const folder = mkdtempSync(join(tmpdir(), "coppice-new-recording-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KIND = `import { addChatMessage } from "./chat-message.ts";
import { parseDocument } from "./document.ts";
import { isRecord } from "../basics/json.ts";
import { listAt } from "./json.ts";
import type { RecordingKind } from "./recording.ts";
import { SegmentSteps } from "./segment-steps.ts";
import { type ChatSegment, toChat } from "./to-chat.ts";

export const diary: RecordingKind = {
  name: "diary",
  lookedFor: "diary (diary.json): a JSON object with diary",
  matches: ({ document }) => isRecord(document) && Array.isArray(document.diary),
  parse: (text, name) =>
    parseDocument("diary", text, name, (document, issues) => {
      const segment: ChatSegment = new SegmentSteps();
      for (const entry of listAt(isRecord(document) ? document : undefined, "diary").filter(isRecord))
        addChatMessage(entry, {}, segment, issues);
      return { format: "openai-chat", segments: [toChat(segment, issues)] };
    }),
};
`;

/** What is added in each file: a line, and the text that it goes in front of. */
const ADDED: Readonly<Record<string, readonly (readonly [line: string, before: string])[]>> = {
  "src/recordings/recording.ts": [['  | "diary"', '  | "gemini-cli"']],
  "src/recordings/parse-recording.ts": [
    ['import { diary } from "./diary.ts";', "import { readDocument }"],
    ["  diary,", "  geminiCli,"],
  ],
  "src/page/app/words.ts": [['  diary: "Diary",', '  "gemini-cli": "Gemini CLI",']],
  "src/cli/session-folders.ts": [
    ['    { agent: "Diary", path: join(home, ".diary") },', '    { agent: "Gemini CLI", path'],
  ],
};

const CHECK = `import { listSessionFolders } from "./src/cli/session-folders.ts";
import { parseRecording } from "./src/recordings/parse-recording.ts";

const read = parseRecording(JSON.stringify({ diary: [{ role: "user", content: "Dear diary" }] }));
const folders = listSessionFolders({ home: "/home/ada", env: {} }).map(({ path }) => path);
console.log(JSON.stringify([read.ok && read.value.source, folders.includes("/home/ada/.diary")]));
`;

test("a new recording takes the files that CONTRIBUTING names, and no more", () => {
  const [, rule = ""] =
    /^- A new recording is ([\s\S]*?)`test\//m.exec(readFileSync("CONTRIBUTING.md", "utf8")) ?? [];
  const named = [...rule.matchAll(/`(src\/[^`]+)`/g)].map(([, file = ""]) => file);
  expect(named.sort()).toEqual(["src/recordings/", ...Object.keys(ADDED)].sort());

  for (const path of ["src", "scripts", "tsconfig.json", "package.json", "schema"])
    cpSync(resolve(path), join(folder, path), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "src/recordings/diary.ts"), KIND);
  for (const [file, lines] of Object.entries(ADDED)) {
    let text = readFileSync(resolve(file), "utf8");
    for (const [line, before] of lines) {
      expect(text).toContain(before);
      text = text.replace(before, `${line}\n${before}`);
    }
    writeFileSync(join(folder, file), text);
  }
  writeFileSync(join(folder, "check.ts"), CHECK);
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  expect(JSON.parse(run("scripts/run-ts.mjs", "check.ts"))).toEqual(["diary", true]);
  // The compiler names every list that would lack it.
  const config = JSON.parse(readFileSync("tsconfig.json", "utf8"));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ ...config, include: ["src"] }));
  expect(run("node_modules/typescript/lib/tsc.js", "-p", "tsconfig.json", "--noEmit")).toBe("");
  expect(run("node_modules/typescript/lib/tsc.js", "-p", "src/page/app/tsconfig.json", "--noEmit")).toBe("");
}, 60_000);
