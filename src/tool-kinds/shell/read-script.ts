/** A call inside a script. */
export type ScriptStep =
  | { readonly kind: "command"; readonly line: string; readonly directory?: string }
  | { readonly kind: "patch"; readonly patch: string };

/**
 * The steps of Codex's `exec`, whose input is JavaScript. Nothing is evaluated: a script is read only if all of it
 * has these forms, with literal texts, and if every output is shown unchanged. Other scripts return `undefined`.
 *
 *   text(await tools.exec_command({ cmd: "cat a.ts", workdir: "/w" }));
 *   const r = await tools.exec_command({ cmd: "git status" }); text(r.output ?? JSON.stringify(r));
 *   await tools.apply_patch("*** Begin Patch …");
 */
export function readScript(code: string): readonly ScriptStep[] | undefined {
  const tokens = tokenize(code);
  return tokens && new ScriptReader(tokens).read();
}

type Token =
  | { readonly kind: "word" | "number"; readonly text: string }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "sign"; readonly text: string };

const END: Token = { kind: "sign", text: "" };

class ScriptReader {
  readonly #tokens: readonly Token[];
  readonly #steps: ScriptStep[] = [];
  /** Names of outputs that no `text` has shown yet. */
  readonly #hidden = new Set<string>();
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  read(): readonly ScriptStep[] | undefined {
    while (this.#at < this.#tokens.length) if (!this.#readStatement()) return undefined;
    return this.#hidden.size === 0 && this.#steps.length > 0 ? this.#steps : undefined;
  }

  #readStatement(): boolean {
    if (this.#take(";")) return true;
    if (this.#take("text")) return this.#take("(") && this.#readShown() && this.#take(")");
    if (this.#take("const") || this.#take("let") || this.#take("var")) {
      const name = this.#next("word");
      if (name === undefined || !this.#take("=") || this.#readCall() === undefined) return false;
      this.#hidden.add(name);
      return true;
    }
    // Without its output, only a patch has a known effect.
    return this.#readCall() === "patch";
  }

  /** The argument of `text`: a call's output or its name, the whole output or its field `output`. */
  #readShown(): boolean {
    if (this.#peek() === "JSON") return this.#readJson(() => this.#readShown());
    const isGroup = this.#take("(");
    const name = this.#peek() === "await" ? undefined : this.#next("word");
    if (name === undefined ? this.#readCall() === undefined : !this.#hidden.delete(name)) return false;
    if (isGroup && !this.#take(")")) return false;
    if (this.#take(".") && !this.#take("output")) return false;
    return !(this.#take("??") || this.#take("||")) || this.#readInstead(name);
  }

  /** The replacement for a missing output: a text, or the whole result. */
  #readInstead(name: string | undefined): boolean {
    if (this.#next("string") !== undefined) return true;
    if (this.#peek() === "JSON") return this.#readJson(() => this.#readInstead(name));
    if (name === undefined || !this.#take(name)) return false;
    return !this.#take(".") || this.#next("word") !== undefined;
  }

  /** `JSON.stringify(…)`, with or without indentation. */
  #readJson(readValue: () => boolean): boolean {
    if (!["JSON", ".", "stringify", "("].every((text) => this.#take(text)) || !readValue()) return false;
    while (this.#take(",")) if (!this.#takeConstant() && this.#next("string") === undefined) return false;
    return this.#take(")");
  }

  #readCall(): ScriptStep["kind"] | undefined {
    if (!["await", "tools", "."].every((text) => this.#take(text))) return undefined;
    const tool = this.#next("word");
    if (!this.#take("(")) return undefined;
    const step =
      tool === "exec_command" ? this.#readCommand() : tool === "apply_patch" ? this.#readPatch() : undefined;
    if (!step || !this.#take(")")) return undefined;
    this.#steps.push(step);
    return step.kind;
  }

  #readCommand(): ScriptStep | undefined {
    const fields = this.#readObject();
    const line = fields?.get("cmd");
    const directory = fields?.get("workdir");
    if (typeof line !== "string" || !(directory === undefined || typeof directory === "string"))
      return undefined;
    return { kind: "command", line, ...(directory !== undefined && { directory }) };
  }

  #readPatch(): ScriptStep | undefined {
    const patch = this.#next("string") ?? this.#readObject()?.get("input");
    return typeof patch === "string" ? { kind: "patch", patch } : undefined;
  }

  /** An object of literals; a value that is not a text becomes `null`. */
  #readObject(): ReadonlyMap<string, string | null> | undefined {
    const fields = new Map<string, string | null>();
    if (!this.#take("{")) return undefined;
    while (!this.#take("}")) {
      const key = this.#next("word") ?? this.#next("string");
      if (key === undefined || !this.#take(":")) return undefined;
      const text = this.#next("string");
      if (text === undefined && !this.#takeConstant()) return undefined;
      fields.set(key, text ?? null);
      if (!this.#take(",") && this.#peek() !== "}") return undefined;
    }
    return fields;
  }

  #takeConstant(): boolean {
    return this.#next("number") !== undefined || ["true", "false", "null"].some((word) => this.#take(word));
  }

  #peek(): string | undefined {
    const { kind, text } = this.#tokens[this.#at] ?? END;
    return kind === "string" ? undefined : text;
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at++;
    return true;
  }

  #next(kind: Token["kind"]): string | undefined {
    const token = this.#tokens[this.#at] ?? END;
    if (token.kind !== kind || token === END) return undefined;
    this.#at++;
    return token.text;
  }
}

/** Longer scripts are programs. */
const LONGEST_SCRIPT = 100_000;

const TOKEN = /\s+|\/\/[^\n]*|([A-Za-z_$][\w$]*)|(\d[\d_.]*)|(\?\?|\|\||[(){}.,:;=])|["'`]/y;

function tokenize(code: string): readonly Token[] | undefined {
  if (code.length > LONGEST_SCRIPT || !code.includes("tools.")) return undefined;
  const tokens: Token[] = [];
  let at = 0;
  while (at < code.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(code);
    if (!found) return undefined;
    const [whole, word, number, sign] = found;
    at += whole.length;
    if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
    else if (whole === '"' || whole === "'" || whole === "`") {
      const literal = readLiteral(code, at, whole);
      if (!literal) return undefined;
      tokens.push({ kind: "string", text: literal.text });
      at = literal.end;
    }
  }
  return tokens;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "0": "\0",
  b: "\b",
  f: "\f",
  v: "\v",
};

/**
 * Reads a literal from the position after its quote. `undefined` if it does not end, or if its value is not in the
 * code.
 */
function readLiteral(
  code: string,
  from: number,
  quote: string,
): { readonly text: string; readonly end: number } | undefined {
  const pieces: string[] = [];
  let start = from;
  for (let at = from; at < code.length; at++) {
    const char = code[at];
    if (char === quote) return { text: pieces.join("") + code.slice(start, at), end: at + 1 };
    if (quote === "`" ? char === "$" && code[at + 1] === "{" : char === "\n") return undefined;
    if (char !== "\\") continue;
    const next = code[at + 1] ?? "";
    // Numeric character escapes are rare in commands.
    if (next === "" || next === "u" || next === "x") return undefined;
    pieces.push(code.slice(start, at), next === "\n" ? "" : (ESCAPES[next] ?? next));
    at++;
    start = at + 1;
  }
  return undefined;
}
