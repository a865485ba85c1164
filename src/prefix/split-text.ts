import { MARKS, type Mark } from "./marks.ts";
import { ownerOf } from "./owner-of.ts";
import type { PieceName, PrefixGroup, PrefixPiece } from "./piece.ts";

/**
 * Splits a text of a prompt into pieces: parts that clients mark (memory files, skills, agents), and the rest by
 * headings.
 *
 *   # Harness …  # Memory …                       ->  system prompt: Harness, Memory
 *   Contents of /shop/CLAUDE.md (project …): …    ->  memory files: /shop/CLAUDE.md
 *
 * @param rest the group of text without a mark
 * @param servers names of MCP servers in the client's configuration
 */
export function splitText(
  text: string,
  rest: PrefixGroup,
  servers: readonly string[] = [],
): readonly PrefixPiece[] {
  const sections = new Sections();
  const opening: PieceName = { group: rest, name: nameOpening(text, rest) };
  let base = opening;
  let tag: { readonly name: string; readonly around: PieceName } | undefined;
  let isFenced = false;
  let unnamed = 1;
  let open: { readonly mark: Mark; piece: PieceName; hasItem: boolean } | undefined;
  for (const line of joinNames(text.split("\n"))) {
    if (open?.mark.before?.test(line) || (open?.hasItem && open.mark.endsBlank && line === ""))
      open = undefined;
    const found = open?.mark.close ? undefined : findMark(line, unnamed);
    if (found) open = { mark: found.mark, piece: found.piece, hasItem: false };
    if (found?.piece.name.startsWith(UNNAMED)) unnamed++;
    if (open) {
      const item = open.mark.item?.exec(line)?.[1];
      if (item !== undefined) {
        open.hasItem = true;
        open.piece = nameItem(open.mark, item, servers);
      }
      sections.add(open.piece, line);
      if (open.mark.close?.test(line)) open = undefined;
      continue;
    }
    if (line.startsWith("```")) isFenced = !isFenced;
    const heading = isFenced || tag ? undefined : HEADING.exec(line)?.[1];
    if (heading !== undefined) base = { group: rest, name: heading };
    const name = isFenced || tag ? undefined : TAG.exec(line)?.[1];
    if (name !== undefined && !WRAPPERS.test(name)) {
      tag = { name, around: base };
      base = { group: rest, name };
    }
    sections.add(base, line);
    if (tag && line.includes(`</${tag.name}>`)) {
      base = tag.around;
      tag = undefined;
    }
  }
  return sections.list();
}

const HEADING = /^# (.+)$/;
const TAG = /^<([a-z][\w-]*)>/;
/** The contents of these belong to the text around them. */
const WRAPPERS = /^(?:system-reminder|session_context|loaded_context|project_context)$|example/;

function findMark(
  line: string,
  unnamed: number,
): { readonly mark: Mark; readonly piece: PieceName } | undefined {
  for (const mark of MARKS) {
    const found = mark.open.exec(line);
    if (!found) continue;
    const name = mark.name && found[1] !== undefined ? mark.name(found[1]) : GENERAL;
    const isNamed = mark.name !== undefined || mark.item !== undefined;
    return { mark, piece: { group: mark.group, name: isNamed ? name : `${UNNAMED}${unnamed}` } };
  }
  return undefined;
}

/** A file whose name the client does not give. */
const UNNAMED = "unnamed ";

/** The lines before the first item of a list. */
const GENERAL = "introduction";

function nameItem(mark: Mark, item: string, servers: readonly string[]): PieceName {
  if (mark.servers) return { group: mark.group, name: "instructions", server: item };
  if (!mark.tools) return { group: mark.group, name: item };
  const server = ownerOf(item, servers);
  return { group: mark.group, name: item, isTool: true, ...(server !== undefined && { server }) };
}

/** Qwen Code writes `<name>`, the name and `</name>` on lines of their own. */
function* joinNames(lines: readonly string[]): Iterable<string> {
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] ?? "";
    if (line.trim() === "<name>" && lines[i + 2]?.trim() === "</name>") {
      yield `${line}${lines[i + 1]}</name>`;
      i += 2;
    } else yield line;
  }
}

const LONGEST_NAME = 48;

/** The first words of a reminder; for a system prompt, the name of the part before its first heading. */
function nameOpening(text: string, rest: PrefixGroup): string {
  if (rest === "system prompt") return "before the first heading";
  const line =
    text.split("\n", 5).find((each) => each.trim() !== "" && !/^<[\w-]+>$/.test(each.trim())) ?? "";
  const plain = line.replace(/^<([\w-]+)>/, "$1: ").trim();
  return plain.length <= LONGEST_NAME ? plain : `${plain.slice(0, LONGEST_NAME - 1).trimEnd()}…`;
}

/** Lines by piece, in the order of first lines. */
class Sections {
  readonly #lines = new Map<string, { readonly piece: PieceName; readonly lines: string[] }>();

  add(piece: PieceName, line: string): void {
    const key = JSON.stringify([piece.group, piece.name, piece.server]);
    const section = this.#lines.get(key);
    if (section) section.lines.push(line);
    else this.#lines.set(key, { piece, lines: [line] });
  }

  list(): readonly PrefixPiece[] {
    return [...this.#lines.values()]
      .map(({ piece, lines }) => ({ ...piece, text: lines.join("\n") }))
      .filter(({ text }) => text.trim() !== "");
  }
}
