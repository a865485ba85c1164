import { readFileSync } from "node:fs";
import { HOME } from "./workspace.mjs";

/** Shorthand for the calls in the scripts; paths are relative to the project. */
export function read(path, offset, limit) {
  return { name: "Read", input: { file_path: `${HOME}/${path}`, ...(offset && { offset, limit }) } };
}

export function edit(path, old_string, new_string) {
  return {
    name: "Edit",
    input: { file_path: `${HOME}/${path}`, old_string, new_string, replace_all: false },
  };
}

/** Writes the file of the same path in `files/`. */
export function write(path) {
  const content = readFileSync(new URL(`./files/${path}`, import.meta.url), "utf8");
  return { name: "Write", input: { file_path: `${HOME}/${path}`, content } };
}

export function bash(command, description) {
  return { name: "Bash", input: { command, description } };
}

export function grep(pattern, path) {
  const where = path === undefined ? {} : { path: `${HOME}/${path}` };
  return { name: "Grep", input: { pattern, ...where, output_mode: "content", "-n": true } };
}

export function fetchPage(url, prompt) {
  return { name: "WebFetch", input: { url, prompt } };
}

/** `todo(2, ["Find the cause", "Finding the cause"], …)`: two are done, the next one is in progress. */
export function todo(done, ...items) {
  const todos = items.map(([content, activeForm], index) => ({
    content,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
    activeForm,
  }));
  return { name: "TodoWrite", input: { todos } };
}

/** A call that is meant to fail; the generator stops when it does not. */
export function failing(call) {
  return { ...call, fails: true };
}

export function runTests(...files) {
  const named = files.map((name) => `test/${name}.test.js`).join(" ");
  const command = "node --test --test-reporter=./tools/reporter.cjs";
  return files.length === 0
    ? bash(`${command} test/all.js`, "Run all tests")
    : bash(`${command} ${named}`, `Run the tests of ${files.join(", ")}`);
}
