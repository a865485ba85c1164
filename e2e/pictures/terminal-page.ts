const ESCAPE = "\u001b[";

/** A program's terminal output as a page: the colours, bold and dim that our commands use. */
export function renderTerminal(command: string, written: string): string {
  const [plain = "", ...painted] = `$ ${command}\n${dropProgress(written)}`
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .split(ESCAPE);
  let styles: readonly string[] = [];
  const spans = painted.map((piece) => {
    const [, code = "", text = ""] = /^(\d*)m([\s\S]*)$/.exec(piece) ?? [];
    if (text === "" && code === "") throw new Error(`not a colour: ${JSON.stringify(piece.slice(0, 20))}`);
    styles = applyCode(styles, code);
    return `<span class="${styles.map((style) => `s${style}`).join(" ")}">${text}</span>`;
  });
  return `<!doctype html><meta charset="utf-8"><style>${CSS}</style><main><pre>${plain}${spans.join("")}</pre></main>`;
}

/** A progress line is cleared before the next text. */
function dropProgress(written: string): string {
  return written
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.split(`${ESCAPE}K`).at(-1))
    .join("\n")
    .trim();
}

function applyCode(styles: readonly string[], code: string): readonly string[] {
  if (code === "" || code === "0") return [];
  if (code === "22") return styles.filter((style) => style.length > 1);
  if (code === "39") return styles.filter((style) => style.length === 1);
  return [...styles, code];
}

const CSS = `
body { margin: 0; background: #1b1f24; }
main { display: inline-block; padding: 16px 20px; }
pre { margin: 0; color: #d5dae0; font: 14px / 19px "DejaVu Sans Mono", monospace; }
.s1 { font-weight: bold; color: #fff; }
.s2 { opacity: 0.65; }
.s31 { color: #ff7b72; }
.s32 { color: #6fcf87; }
.s33 { color: #e3b341; }
.s36 { color: #76c7d6; }
`;
