import { isRecord } from "../basics/json.ts";
import { acceptText, InputFields } from "./fields.ts";
import type { FieldNames, RangeFields } from "./tool-kind-entry.ts";
import type { FileTouch } from "./tool-use.ts";

export interface NamedFiles {
  /** Paths in the input's spelling. */
  readonly files: readonly FileTouch[];
  /** The field with the paths. */
  readonly key: string;
  /** The field contains more than paths. */
  readonly mixed: boolean;
}

/**
 * The files that an input names: in a string, a list of strings, or a list of objects that have a path.
 *
 *   { file_path: "a.ts", offset: 10, limit: 5 }                            ->  a.ts, lines 10–14
 *   { files: [{ path: "a.ts", line_ranges: ["1-9"] }, { path: "b.ts" }] }  ->  a.ts, lines 1–9, and b.ts
 */
export function findNamedFiles(
  fields: InputFields,
  path: FieldNames | undefined,
  range: RangeFields | undefined,
  operation: FileTouch["operation"],
): NamedFiles | undefined {
  const touch = (text: string, at: InputFields): readonly FileTouch[] => {
    const ranges = range ? at.ranges(range) : [];
    if (ranges.length === 0) return [{ path: text, operation }];
    return ranges.map((lines) => ({ path: text, operation, range: lines }));
  };
  const found = fields.find(path, (value) => {
    const text = acceptPath(value);
    if (text !== undefined) return { files: touch(text, fields), mixed: false };
    if (!Array.isArray(value)) return undefined;
    const touches = value.map((item) => {
      const own = isRecord(item) ? new InputFields(item) : fields;
      const named = isRecord(item) ? own.find(path, acceptPath)?.value : acceptPath(item);
      return named === undefined ? [] : touch(named, own);
    });
    // A read that shows more files than we found must not count as a read of only these.
    if (operation === "read" && touches.some(({ length }) => length === 0)) return undefined;
    const files = touches.flat();
    return files.length > 0 ? { files, mixed: value.some(isRecord) } : undefined;
  });
  return found && { key: found.key, ...found.value };
}

/** The name of one file: not a web address, and not a glob, which `read_many_files` also accepts. */
function acceptPath(value: unknown): string | undefined {
  const text = acceptText(value);
  return text === undefined || /^(?!(?:file|skill):)[a-z][a-z0-9+.-]+:\/\/|\*/i.test(text) ? undefined : text;
}
