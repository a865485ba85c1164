import { applyEdits, type FormattingOptions, modify } from "jsonc-parser";

/** Sets one value in a text of JSON with comments, or removes it (`undefined`); everything else stays unchanged. */
export function editJsonc(text: string, path: (string | number)[], value: unknown): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const isArrayInsertion = value !== undefined && typeof path.at(-1) === "number";
  return (
    mark +
    applyEdits(body, modify(body, path, value, { formattingOptions: readStyle(body), isArrayInsertion }))
  );
}

function readStyle(text: string): FormattingOptions {
  const [, indent = "  "] = /\n([ \t]+)\S/.exec(text) ?? [];
  return {
    insertSpaces: !indent.startsWith("\t"),
    tabSize: indent.startsWith("\t") ? 1 : indent.length,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
