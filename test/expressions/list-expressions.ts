import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "oxc-parser";
import { isRecord } from "../../src/basics/json.ts";

const SRC = resolve("src");

export interface Written {
  /** File and line: `cli/table.ts:22`. */
  readonly place: string;
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

export interface Built {
  readonly place: string;
  readonly file: string;
  /** Unchanged: `` new RegExp(`</${element}`) ``. */
  readonly call: string;
  /** Built when its file is loaded, not in a function. */
  readonly atLoad: boolean;
}

export interface Found {
  readonly written: readonly Written[];
  readonly built: readonly Built[];
}

/** Every regular expression that is written in `src/`, and every place that builds one. */
export function listExpressions(): {
  readonly written: readonly Written[];
  readonly built: readonly Built[];
} {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const found = files.map((file) => findExpressions(file, readFileSync(join(SRC, file), "utf8")));
  return { written: found.flatMap(({ written }) => written), built: found.flatMap(({ built }) => built) };
}

export function findExpressions(file: string, text: string): Found {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const written: Written[] = [];
  const built: Built[] = [];
  const look = (node: unknown, atLoad: boolean): void => {
    if (Array.isArray(node)) for (const each of node) look(each, atLoad);
    if (!isRecord(node) || Array.isArray(node)) return;
    const { type, start, end, regex, callee } = node;
    const place = `${file}:${text.slice(0, Number(start)).split("\n").length}`;
    if (type === "Literal" && isRecord(regex))
      written.push({ place, file, source: String(regex.pattern), flags: String(regex.flags) });
    const isBuilt = type === "NewExpression" || type === "CallExpression";
    if (isBuilt && isRecord(callee) && callee.name === "RegExp")
      built.push({ place, file, call: text.slice(Number(start), Number(end)), atLoad });
    const isFunction = typeof type === "string" && /Function/.test(type);
    for (const [key, child] of Object.entries(node)) if (key !== "regex") look(child, atLoad && !isFunction);
  };
  look(program, true);
  return { written, built };
}

/** What a file builds while it is loaded, in order. */
export async function recordBuilt(file: string, load: () => Promise<unknown>): Promise<readonly RegExp[]> {
  const recorded: RegExp[] = [];
  const original = globalThis.RegExp;
  const builds = (): boolean => {
    const caller = new Error().stack?.split("\n").find((line) => line.includes("/src/"));
    return caller?.includes(`/src/${file}`) ?? false;
  };
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, self) {
      const expression: RegExp = Reflect.construct(target, args, self);
      if (builds()) recorded.push(expression);
      return expression;
    },
  });
  try {
    await load();
  } finally {
    globalThis.RegExp = original;
  }
  return recorded;
}
