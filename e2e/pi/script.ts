import type { Received, Reply, ScriptedCall } from "../provider/provider.ts";
import { partsOf } from "../sdk/session.ts";

type Call = Omit<ScriptedCall, "id">;

/** How many files there are to read. */
const FILES = 7;

/** The text that a file has, some 500 tokens. */
export function textOf(name: string): string {
  return Array.from(
    { length: 40 },
    (_, i) => `${name} line ${i}: const total${i} = order.rate * ${i};\n`,
  ).join("");
}

export const PROJECT: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from({ length: FILES }, (_, i) => [`src/module-${i}.ts`, textOf(`module-${i}`)]),
);

/** Reads the files repeatedly, and queries the state. */
function planned(n: number): Call {
  if (n % 4 === 0) return { name: "bash", input: { command: "ls src" } };
  return { name: "read", input: { path: `src/module-${n % FILES}.ts` } };
}

export const until = (step: number): string => `Look into it. [until ${step}]`;

const UNTIL = /\[until (\d+)\]/g;

/** A model that makes calls until the step in the newest prompt, and then says so. */
export function play(instead: (n: number, request: Received) => Call | undefined = () => undefined) {
  return (request: Received): Reply => {
    const made = partsOf(request).flatMap((part) =>
      part.kind === "call" ? [Number(part.callId.split("_").at(-1))] : [],
    );
    const n = Math.max(-1, ...made) + 1;
    const end = Math.max(0, ...[...request.raw.matchAll(UNTIL)].map(([, step]) => Number(step)));
    if (n >= end) return { text: `done at ${end}` };
    return { text: `Step ${n}.`, calls: [{ id: `call_${n}`, ...(instead(n, request) ?? planned(n)) }] };
  };
}
