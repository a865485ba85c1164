import { isRecord } from "../basics/json.ts";
import { trimEndOf } from "../basics/trim-end.ts";
import { canonicalInput } from "./canonical-input.ts";
import { acceptText, InputFields } from "./fields.ts";
import type { NamedEntry } from "./find-entry.ts";
import { findNamedFiles } from "./find-files.ts";
import { findPatchedFiles } from "./patch.ts";
import { atServer, normalizePath } from "./paths.ts";
import { describeLine } from "./shell/describe-line.ts";
import { parseLine, toLine } from "./shell/parse-line.ts";
import { readScript } from "./shell/read-script.ts";
import { isTodoItem, readTodoItem, readTodoList } from "./todo-items.ts";
import type { FieldNames, ToolKindEntry } from "./tool-kind-entry.ts";
import type { CommandWords, FileTouch, ResultContent, ToolKind, ToolUse } from "./tool-use.ts";
import { ELSEWHERE, REMARKS, type UsualFields, usualFields } from "./usual-fields.ts";

/** The meaning of a call, from the entry of its tool. */
export function describeCall(named: NamedEntry, input: unknown, directory: string | undefined): ToolUse {
  const { name } = named;
  const isGuessed = named.isGuess === true && listsTodos(input);
  const entry = isGuessed ? TODO_TOOL : named.entry;
  const server = named.server ?? (isGuessed ? name : undefined);
  const inner = entry.within !== undefined && isRecord(input) ? (input[entry.within] ?? input) : input;
  const fields = new InputFields(inner);
  const kind = kindOf(entry, fields);
  const names: UsualFields = { ...usualFields[kind], ...entry };
  const call: Call = { kind, entry, fields, names, text: acceptText(inner), directory };
  const { identifying, ...described } = describers[kind](call);
  const meaning = server === undefined ? described : placeAtServer(described, server);
  const keys = [...identifying, ...fields.present(entry.kindBy?.field), ...fields.present(names.identifying)];
  const about = meaning.files?.map(({ path }) => path) ?? fields.only(keys);
  return {
    kind,
    name,
    ...(server !== undefined && { server }),
    files: [],
    ...meaning,
    ...(entry.plan && { plan: true }),
    ...(entry.snapshot === undefined ? {} : { snapshot: `${entry.snapshot} ${canonicalInput(about)}` }),
    ...(entry.shows ? { shows: entry.shows } : {}),
    ...(entry.partial ? { partial: true } : {}),
    ...(server === undefined && fields.present(entry.loads).length > 0 ? { loads: true } : {}),
    identifying: inner === input ? [...new Set(keys)] : new InputFields(input).present(entry.within),
  };
}

/** A server's files may be anyone's, so they do not count as files of the workspace. */
function placeAtServer(meaning: Omit<Meaning, "identifying">, server: string): Omit<Meaning, "identifying"> {
  const { files } = meaning;
  if (!files) return meaning;
  return { ...meaning, files: files.map((touch) => ({ ...touch, path: atServer(server, touch.path) })) };
}

/**
 * A todo list is recognised by its items, whatever its tool is called. Under an unknown name it may belong to
 * anyone (OpenCode writes `evil_todowrite`, and issues of a tracker also have a title and a status), so it counts
 * as a server's, never as the host's own.
 */
function listsTodos(input: unknown): boolean {
  return new InputFields(input).find(usualFields.todo.todos, acceptTodos) !== undefined;
}

function acceptTodos(value: unknown): true | undefined {
  return Array.isArray(value) && value.length > 0 && value.every(isTodoItem) ? true : undefined;
}

const TODO_TOOL: ToolKindEntry = { names: [], kind: "todo" };

interface Call {
  readonly kind: ToolKind;
  readonly entry: ToolKindEntry;
  readonly fields: InputFields;
  /** The names of the input's fields, by their contents. */
  readonly names: UsualFields;
  /** The input if it is a plain text: a patch, a shell line. */
  readonly text: string | undefined;
  readonly directory: string | undefined;
}

type Meaning = Partial<ToolUse> & Pick<ToolUse, "identifying">;

const describers: Readonly<Record<ToolKind, (call: Call) => Meaning>> = {
  read: (call) => describeFiles(call, "read"),
  write: (call) => describeFiles(call, "write"),
  edit: (call) => describeFiles(call, "edit"),
  delete: (call) => describeFiles(call, "delete"),
  list: describeQuery,
  search: describeQuery,
  shell: describeShell,
  fetch: describeFetch,
  "web-search": describeQuery,
  todo: describeTodo,
  task: describeNothing,
  skill: describeNothing,
  context: describeNothing,
  other: describeNothing,
};

function kindOf(entry: ToolKindEntry, fields: InputFields): ToolKind {
  const value = entry.kindBy && fields.find(entry.kindBy.field, acceptText)?.value;
  if (value === undefined || !entry.kindBy || !Object.hasOwn(entry.kindBy.kinds, value)) return entry.kind;
  return entry.kindBy.kinds[value] ?? entry.kind;
}

function describeFiles(call: Call, operation: FileTouch["operation"]): Meaning {
  const { entry, fields, names, text, directory } = call;
  const content = fields.find(names.content, acceptText)?.value;
  const ranges = Object.values(names.range ?? {}).flatMap((field) =>
    typeof field === "number" ? [] : fields.present(field),
  );
  const elsewhere = entry.path === undefined && fields.present(ELSEWHERE).length > 0;
  const named = elsewhere ? undefined : findNamedFiles(fields, names.path, names.range, operation);
  const patch = named || !names.patch ? undefined : (fields.find(names.patch, acceptText)?.value ?? text);
  const files = named?.files ?? (patch === undefined ? [] : findPatchedFiles(patch));
  // If an edit has paths and texts in one field, the field is as long as the edit: it does not stay.
  const keys = named && !(named.mixed && operation !== "read") ? [named.key] : [];
  const lines = fields.lineNumbers(names.lines);
  const byLine = lines.length > 0 || fields.find(names.path, (list) => namesLines(list, names.lines));
  return {
    files: files.map((touch) => ({ ...touch, path: normalizePath(touch.path, directory) })),
    ...(content === undefined ? {} : { content }),
    ...(byLine ? { byLine: true } : {}),
    identifying: [...keys, ...ranges, ...lines],
  };
}

/** Do the edits of a list name lines? */
function namesLines(list: unknown, names: FieldNames | undefined): true | undefined {
  const some =
    Array.isArray(list) && list.some((item) => new InputFields(item).lineNumbers(names).length > 0);
  return some || undefined;
}

function describeQuery({ kind, fields, names, directory: base }: Call): Meaning {
  const directory = fields.find(names.directory, acceptOne);
  const query = fields.find(names.query, acceptLines);
  const place = placeAt(directory?.value, base);
  const used = [directory?.key ?? [], query?.key ?? []].flat();
  const rest = fields.without([...used, ...fields.present(REMARKS)]);
  return {
    ...(place === undefined || kind === "web-search" ? {} : { directory: place }),
    ...(query === undefined ? {} : { query: query.value }),
    ...(kind !== "list" || Object.keys(rest).length === 0 ? {} : { operands: canonicalInput(rest) }),
    identifying: used,
  };
}

function describeShell(call: Call): Meaning {
  const { entry, fields, names, text, directory: base } = call;
  if (entry.script && text !== undefined) return describeScript(text, base);
  const command = fields.find(names.command, acceptLine);
  const directory = fields.find(names.directory, acceptText);
  const place = placeAt(directory?.value, base);
  const line = command?.value ?? text;
  return {
    ...(line === undefined ? {} : { command: line }),
    ...describeLine(line === undefined || entry.foreign ? [] : parseLine(line), place),
    ...(place === undefined ? {} : { directory: place }),
    identifying: [command?.key ?? [], directory?.key ?? []].flat(),
  };
}

/** Every command of a script runs in its own shell. */
function describeScript(code: string, base: string | undefined): Meaning {
  const place = placeAt(undefined, base);
  const files: FileTouch[] = [];
  const commands: CommandWords[] = [];
  const shown: (ResultContent | undefined)[] = [];
  let byLine = false;
  for (const step of readScript(code) ?? []) {
    if (step.kind === "patch") {
      for (const touch of findPatchedFiles(step.patch))
        files.push({ ...touch, path: normalizePath(touch.path, base) });
      continue;
    }
    const use = describeLine(parseLine(step.line), placeAt(step.directory, base));
    files.push(...use.files);
    byLine ||= use.byLine === true;
    for (const [i, words] of use.commands.entries())
      commands.push(i === 0 && commands.length > 0 ? { ...words, joint: ";" } : words);
    shown.push(use.shows);
  }
  const [shows, ...others] = shown;
  return {
    command: code,
    files,
    commands,
    ...(byLine ? { byLine: true } : {}),
    ...(shows && others.length === 0 ? { shows } : {}),
    ...(place === undefined ? {} : { directory: place }),
    identifying: [],
  };
}

/** Only a GET returns a url: a later one can then replace it. */
function describeFetch({ fields, names }: Call): Meaning {
  const url = fields.find(names.url, acceptLines);
  const method = fields.find("method", acceptText)?.value ?? "GET";
  return {
    ...(url && method.toUpperCase() === "GET" ? { url: findUrl(url.value) } : {}),
    identifying: url ? [url.key] : [],
  };
}

function describeTodo({ entry, fields, names }: Call): Meaning {
  const item = entry.partial && readTodoItem(fields, entry.sets);
  const todos = entry.partial ? item && [item] : fields.find(names.todos, readTodoList)?.value;
  return { ...(todos && { todos }), identifying: [] };
}

function describeNothing(): Meaning {
  return { identifying: [] };
}

function placeAt(named: string | undefined, base: string | undefined): string | undefined {
  if (named !== undefined) return normalizePath(named, base);
  return base === undefined ? undefined : normalizePath(base);
}

/** Gemini's `web_fetch` has its url in a sentence; a sentence with several urls is used as a whole. */
function findUrl(text: string): string {
  const found = /\s/.test(text) ? (text.match(/https?:\/\/[^\s"'<>)\]]+/g) ?? []) : [];
  return found.length === 1 ? trimEndOf(String(found[0]), ".,;:!?") : text;
}

function acceptOne(value: unknown): string | undefined {
  return acceptText(Array.isArray(value) && value.length === 1 ? value[0] : value);
}

function acceptLines(value: unknown): string | undefined {
  return acceptText(isTexts(value) ? value.join("\n") : value);
}

function acceptLine(value: unknown): string | undefined {
  return acceptText(isTexts(value) ? toLine(value) : value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
