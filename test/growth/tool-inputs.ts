type Input = Readonly<Record<string, unknown>> | string;

/** A tool, and an input of it with a model's text in one of its fields. */
export type ToolInput = readonly [tool: string, field: string, make: (text: string) => Input];

const fields = (tool: string, input: Readonly<Record<string, unknown>>): readonly ToolInput[] =>
  Object.keys(input).map((field) => [tool, field, (text) => ({ ...input, [field]: text })]);

/** Every kind of tool with every meaningful field. */
export const toolInputs: readonly ToolInput[] = [
  ...fields("read", { filePath: "src/a.ts", offset: "1" }),
  ...fields("read_file", { path: "src/a.ts", line_range: "1-2" }),
  ["read_many_files", "paths", (text) => ({ paths: [text, "a"] })],
  ...fields("open", { path: "a", line_number: "1" }),
  ...fields("write", { filePath: "src/a.ts", content: "text" }),
  ...fields("edit", { filePath: "src/a.ts", oldString: "a", newString: "b" }),
  ["multi_edit", "edits", (text) => ({ filePath: "a", edits: [{ oldString: text, newString: "b" }] })],
  ["multi_edit", "edits, one each", (text) => ({ filePath: "a", edits: cut(text) })],
  ...fields("apply_patch", { input: "*** Begin Patch", patch: "" }),
  ["apply_patch", "input, begun", (text) => ({ input: `*** Begin Patch\n${text}` })],
  ["apply_patch", "input, in a file", (text) => ({ input: `*** Begin Patch\n*** Update File: ${text}` })],
  ["apply_patch", "a patch of git", (text) => ({ input: `diff --git a/a b/a\n--- a/a\n+++ ${text}` })],
  ["apply_patch", "(plain)", (text) => text],
  ...fields("apply_diff", { path: "a", diff: "@@" }),
  ...fields("move_file", { source: "a", destination: "b" }),
  ...fields("delete_file", { path: "a" }),
  ...fields("str_replace_editor", { command: "view", path: "a", file_text: "b", view_range: "1" }),
  ...fields("notebook_edit", { path: "a", cell_id: "1" }),
  ...fields("json_edit_tool", { operation: "view", file_path: "a", json_path: "b" }),
  ...fields("list", { path: "a", ignore: "b" }),
  ...fields("glob", { pattern: "**/*.ts", path: "a" }),
  ...fields("tree", { path: "a" }),
  ...fields("git_diff", { path: "a" }),
  ...fields("grep", { pattern: "a", path: "b", include: "*.ts" }),
  ...fields("lsp", { operation: "a", file_path: "b" }),
  ...fields("bash", { command: "ls", workdir: "/work", description: "a" }),
  ["exec", "(plain)", (text) => text],
  ["exec", "a script", (text) => `text(await tools.exec_command({cmd: ${JSON.stringify(text)}}))`],
  ["exec", "a script, begun", (text) => `text(await tools.exec_command({cmd: "${text}`],
  ["bash", "command, a word", (text) => ({ command: `echo ${text}` })],
  ["bash", "command, in quotes", (text) => ({ command: `echo "${text}"` })],
  ["bash", "command, in backticks", (text) => ({ command: `echo \`${text}\`` })],
  ["bash", "command, a here-document", (text) => ({ command: `cat > a <<EOF\n${text}\nEOF` })],
  ["bash", "command, an open here-document", (text) => ({ command: `cat > a <<EOF\n${text}` })],
  ["bash", "command, as words", (text) => ({ command: ["bash", "-lc", text] })],
  ["bash", "command, many words", (text) => ({ command: ["echo", ...cut(text)] })],
  ["bash", "command, of sed", (text) => ({ command: `sed -n '${text}' a.ts` })],
  ["bash", "command, of git", (text) => ({ command: `git ${text} log` })],
  ["bash", "command, of find", (text) => ({ command: `find . -name ${text}` })],
  ["bash", "command, of head", (text) => ({ command: `head -n ${text} a.ts` })],
  ["bash", "command, a patch", (text) => ({ command: `apply_patch <<'EOF'\n${text}\nEOF` })],
  ["local_shell", "action", (text) => ({ action: { command: ["bash", "-lc", text] } })],
  ...fields("python", { code: "print()" }),
  ...fields("write_stdin", { session_id: "1", chars: "a" }),
  ...fields("webfetch", { url: "https://a.org", prompt: "b" }),
  ["webfetch", "url, a host", (text) => ({ url: `https://${text}` })],
  ["webfetch", "url, a path", (text) => ({ url: `https://a.org/${text}` })],
  ["webfetch", "url, a query", (text) => ({ url: `https://a.org/?${text}` })],
  ["web_fetch", "prompt, with a url", (text) => ({ prompt: `see https://a.org/${text} now` })],
  ["web_fetch", "prompt, with urls", (text) => ({ prompt: `https://a.org ${text} https://b.org` })],
  ...fields("websearch", { query: "a" }),
  ...fields("get_file_contents", { owner: "a", repo: "b", path: "c", ref: "d" }),
  ...fields("browser_snapshot", { ref: "a", filename: "b" }),
  ...fields("todowrite", { todos: "a" }),
  ["todowrite", "todos, one", (text) => ({ todos: [{ content: text, status: "pending" }] })],
  ["todowrite", "todos, one each", (text) => ({ todos: cut(text).map((content) => ({ content })) })],
  ["todowrite", "todos, an item in text", (text) => ({ todos: `- [ ] ${text}` })],
  ["todowrite", "todos, a list in text", (text) => ({ todos: `- [ ] a\n${text}` })],
  ["todowrite", "todos, JSON", (text) => ({ todos: `[{"content":"${text}` })],
  ["update_plan", "plan", (text) => ({ plan: [{ step: text, status: "pending" }] })],
  ...fields("task_update", { task_id: "1", subject: "a", status: "b" }),
  ...fields("task", { description: "a", prompt: "b" }),
  ...fields("skill", { name: "a" }),
  ["context_prune", "targets", (text) => ({ action: "discard", targets: text })],
  ["context_prune", "targets, one each", (text) => ({ action: "discard", targets: cut(text) })],
  ["context_prune", "a replacement", (text) => ({ action: "replace", targets: [["a", "b", text]] })],
  ...fields("context_recall", { ref: "a1b2c3", lines: "1-2", search: "a" }),
  ...fields("some_unknown_tool", { path: "a", command: "b", query: "c", anything: "d" }),
];

/** In pieces of eight. */
function cut(text: string): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / 8) }, (_, i) => text.slice(8 * i, 8 * i + 8));
}
