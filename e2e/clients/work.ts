import { fillSchema } from "../provider/fill-schema.ts";
import type { Received, Reply, Script } from "../provider/provider.ts";
import type { Call, ClientTools } from "./client.ts";
import { FILES, pathOf, revisionLine } from "./project.ts";

/** A prompt whose work ends before step `until`. */
export function promptFor(talk: string, until: number): string {
  return `Look into the modules. [talk ${talk}] [until ${until}]`;
}

export function doneWith(talk: string, until: number): string {
  return `Done with ${talk} at ${until}.`;
}

const PROMPT = /\[talk ([a-z]+)\] \[until (\d+)\]/g;
// Not every client sends call ids back (Gemini has none).
const STEP = /(?:step_[a-z]+_|"Step )(\d+)/g;

interface Plan {
  readonly tools: ClientTools;
  readonly cwd: string;
  /** Other actions of the model at a step. */
  instead?(n: number, request: Received): Call | Reply | undefined;
}

/**
 * A model that works until the step in the newest prompt: it queries the state of the repository, reads a file,
 * edits it, reads it again, and queries again. A client's own questions get a short answer.
 */
export function work({ tools, cwd, instead }: Plan): Script {
  return (request) => {
    const prompt = [...request.raw.matchAll(PROMPT)].at(-1);
    if (!prompt || !hasTools(request)) return answerOwnQuestion(request);
    const [, talk = "", until = "0"] = prompt;
    const made = [...request.raw.matchAll(STEP)].map(([, n]) => Number(n));
    const n = Math.max(-1, ...made) + 1;
    if (n >= Number(until)) return { text: doneWith(talk, Number(until)), thinking: "All is done." };
    const next = instead?.(n, request) ?? planned(n, tools, cwd);
    if (!("name" in next)) return next;
    return {
      text: `Step ${n}.`,
      thinking: `What comes at step ${n}?`,
      calls: [{ id: `step_${talk}_${n}`, ...next }],
    };
  };
}

function planned(n: number, tools: ClientTools, cwd: string): Call {
  const round = Math.floor(n / 5);
  const path = pathOf(cwd, round % FILES);
  const revision = Math.floor(round / FILES);
  switch (n % 5) {
    case 0:
      return tools.shell("git status");
    case 2:
      return tools.edit(path, revisionLine(revision), revisionLine(revision + 1));
    case 4:
      return tools.shell("git diff --stat");
    default:
      return tools.read(path);
  }
}

/** A title, a topic, or a difficulty: as text, or in the requested form. */
function answerOwnQuestion({ body }: Received): Reply {
  const text = "Looking into modules";
  const schema = (body.generationConfig as { readonly responseJsonSchema?: unknown })?.responseJsonSchema;
  return { text: schema === undefined ? text : JSON.stringify(fillSchema(schema, text)) };
}

function hasTools({ body, raw }: Received): boolean {
  return (Array.isArray(body.tools) && body.tools.length > 0) || raw.includes('"type":"additional_tools"');
}
