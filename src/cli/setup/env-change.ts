import { type FileChange, refuse } from "./change.ts";

/** Adds a line to a file of `NAME=value`. */
export function envChange(file: string, name: string, value: string): FileChange {
  const line = `${name}=${value}`;
  return {
    file,
    what: [line],
    add(text = "") {
      const lines = text.split(/\r?\n/).map((each) => each.replace(/^\uFEFF/, "").trim());
      if (lines.includes(line)) return { ok: true, value: text };
      const taken = lines.find((each) => each.replace(/^export\s+/, "").startsWith(`${name}=`));
      if (taken !== undefined)
        return refuse(
          `it is set to ${taken}. If that is the address of your provider, remove it and pass it to the proxy: coppice proxy --upstream`,
        );
      const eol = text.includes("\r\n") ? "\r\n" : "\n";
      const end = text === "" || text.endsWith("\n") ? "" : eol;
      return { ok: true, value: `${text}${end}${line}${eol}` };
    },
    remove: (text) => ({
      ok: true,
      value: text
        .split(/(?<=\n)/)
        .filter((each) => each.trim() !== line)
        .join(""),
    }),
  };
}
