import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { HOME } from "./workspace.mjs";

const CONTEXT_LINES = 4;

/**
 * The agent's tools, really executed in the workspace. Each takes a call's input and gives
 * `{ content, details }`: what the model sees, and Claude Code's `toolUseResult` beside it.
 * A `ToolFailure` is a result with an error, as the model sees it.
 */
export function createTools(workspace, pages) {
  const seen = new Set();
  let todos = [];
  return { Read, Edit, Write, Bash, Grep, TodoWrite, WebFetch };

  function Read({ file_path, offset = 1, limit = 2000 }) {
    const text = readFileSync(existing(file_path), "utf8");
    seen.add(file_path);
    const all = text.replace(/\n$/, "").split("\n");
    const lines = all.slice(offset - 1, offset - 1 + limit);
    return {
      content: numberLines(lines, offset),
      details: {
        type: "text",
        file: {
          filePath: file_path,
          content: lines.join("\n"),
          numLines: lines.length,
          startLine: offset,
          totalLines: all.length,
        },
      },
    };
  }

  function Edit({ file_path, old_string, new_string, replace_all = false }) {
    const file = existing(file_path);
    if (!seen.has(file_path)) throw new ToolFailure("The file has to be read before it is edited.", true);
    const before = readFileSync(file, "utf8");
    const found = before.split(old_string).length - 1;
    if (found === 0)
      throw new ToolFailure(`String to replace not found in file.\nString: ${old_string}`, true);
    if (found > 1 && !replace_all) {
      throw new ToolFailure(
        `${found} matches of the string to replace, expected one.\nString: ${old_string}`,
        true,
      );
    }
    const after = before.replaceAll(old_string, () => new_string);
    writeFileSync(file, after);
    const hunk = diffLines(before, after);
    const lines = after.replace(/\n$/, "").split("\n");
    const from = Math.max(1, hunk.newStart);
    return {
      content: `The file ${file_path} has been updated. The lines around the change:\n${numberLines(
        lines.slice(from - 1, from - 1 + hunk.newLines),
        from,
      )}`,
      details: {
        filePath: file_path,
        oldString: old_string,
        newString: new_string,
        structuredPatch: [hunk],
        userModified: false,
        replaceAll: replace_all,
      },
    };
  }

  function Write({ file_path, content }) {
    const file = locate(file_path);
    if (existsSync(file) && !seen.has(file_path)) {
      throw new ToolFailure("The file exists: it has to be read before it is overwritten.", true);
    }
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    seen.add(file_path);
    return {
      content: `File created successfully at: ${file_path}`,
      details: { type: "create", filePath: file_path, content, structuredPatch: [], originalFile: null },
    };
  }

  function Bash({ command }) {
    const { status, stdout, stderr } = workspace.run(command);
    const printed = [stdout, stderr].map((text) => text.trimEnd()).filter((text) => text !== "");
    if (status !== 0) throw new ToolFailure([`Exit code ${status}`, ...printed].join("\n"));
    return {
      content: printed.join("\n"),
      details: { stdout: stdout.trimEnd(), stderr: stderr.trimEnd(), interrupted: false, isImage: false },
    };
  }

  function Grep({ pattern, path = HOME }) {
    const expression = new RegExp(pattern);
    const matches = [];
    for (const file of filesUnder(locate(path))) {
      const name = relative(workspace.root, file);
      for (const [index, line] of readFileSync(file, "utf8").split("\n").entries()) {
        if (expression.test(line)) matches.push(`${name}:${index + 1}:${line}`);
      }
    }
    const content = matches.join("\n");
    return {
      content: content === "" ? "No matches found" : content,
      details: { mode: "content", numFiles: 0, filenames: [], content, numLines: matches.length },
    };
  }

  function TodoWrite(input) {
    const details = { oldTodos: todos, newTodos: input.todos };
    todos = input.todos;
    return { content: "The todo list has been updated.", details };
  }

  function WebFetch({ url }) {
    const page = pages[url];
    if (page === undefined) throw new ToolFailure(`Request failed with status code 404: ${url}`);
    return {
      content: page,
      details: {
        bytes: Buffer.byteLength(page),
        code: 200,
        codeText: "OK",
        result: page,
        durationMs: 1840,
        url,
      },
    };
  }

  function existing(path) {
    const file = locate(path);
    if (!existsSync(file)) throw new ToolFailure("File does not exist.", true);
    return file;
  }

  function locate(path) {
    if (!path.startsWith(HOME)) throw new Error(`outside of the project: ${path}`);
    return join(workspace.root, path.slice(HOME.length));
  }
}

/** `refused`: the tool itself said no, which Claude Code marks in the content. */
export class ToolFailure extends Error {
  constructor(message, refused = false) {
    super(message);
    this.refused = refused;
  }
}

/** Lines as the Read tool shows them. */
function numberLines(lines, first) {
  return lines.map((line, index) => `${String(first + index).padStart(6)}→${line}`).join("\n");
}

/** The one hunk that spans everything that differs, with some lines around it. */
function diffLines(before, after) {
  const old = before.split("\n");
  const fresh = after.split("\n");
  let head = 0;
  while (head < Math.min(old.length, fresh.length) && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail++;
  const from = Math.max(0, head - CONTEXT_LINES);
  const kept = old.slice(old.length - tail, old.length - tail + CONTEXT_LINES);
  const around = old.slice(from, head);
  const removed = old.slice(head, old.length - tail);
  const added = fresh.slice(head, fresh.length - tail);
  return {
    oldStart: from + 1,
    oldLines: around.length + removed.length + kept.length,
    newStart: from + 1,
    newLines: around.length + added.length + kept.length,
    lines: [
      ...around.map((line) => ` ${line}`),
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...kept.map((line) => ` ${line}`),
    ],
  };
}

/** Every file below a path, in the same order on every machine. */
function filesUnder(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => name !== ".git")
    .sort()
    .flatMap((name) => filesUnder(join(path, name)));
}
