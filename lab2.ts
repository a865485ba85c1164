import { readRecording } from "./src/recordings/index.ts";
import { prepareReplay } from "./src/replay/index.ts";
import { coldCoppice } from "./src/replay/cold-coppice.ts";
import { listSessions } from "./bench/economics/sessions.ts";
import { formatByName } from "./src/formats/detect.ts";
import { joinResponses } from "./src/intake/decode.ts";
import { createToolKinds } from "./src/tool-kinds/tool-kinds.ts";
import { takeApartOnce } from "./bench/economics/take-apart-once.ts";
import { kindOfText } from "./src/risk/need-table.ts";
import { writeFileSync } from "node:fs";
const [folder, out, cfg] = process.argv.slice(2);
const config = cfg ? JSON.parse(cfg) : {};
const rows: any[] = []; const totals: any[] = [];
const kinds = createToolKinds();
for (const file of listSessions([folder!], undefined).filter((_: any, i: number) => i % Number(process.env.EVERY ?? 1) === 0)) {
  const read = await readRecording(file);
  if (!read.ok) continue;
  const rec = read.value;
  takeApartOnce(rec.format);
  const name = file.split("/").slice(-2).join("/");
  let edits: any[] = [];
  let steps: number[] = [], calls = new Map<string, any>(), users: any[] = [], changes: any[] = [];
  const f = formatByName(rec.format);
  (globalThis as any).__fold = (s: any, e: any) => {
    edits = e; calls = new Map(); users = []; changes = []; steps = [];
    let step = 0;
    const dec = joinResponses(s.messages.map((m: any) => f.decode(m)));
    let lastRole = "";
    for (const [m, d] of dec.entries()) {
      if (d.role === "assistant" && lastRole !== "assistant") step++;
      lastRole = d.role; steps[m] = step;
      for (const p of d.parts as any[]) {
        if (p.kind === "call") { const use = kinds.describe(p.tool, p.input); calls.set(p.callId, { use, m, step }); for (const t of use.files) if (t.operation !== "read") changes.push({ path: t.path, m, step }); }
        if (p.kind === "text" && p.role === "user" && !p.synthetic) users.push({ m, text: p.leaves.map((l: any) => l.text).join("\n") });
      }
    }
  };
  (globalThis as any).__lost = ({ request, end, lost, lostEdits, holders }: any) => {
    for (const [list, isEdit] of [[lost, 0], [lostEdits, 1]] as any) for (const a of list) {
      const hs = holders(a).filter((p: any) => p.message < end && p.part.kind === "result");
      const h = hs[hs.length - 1]; if (!h) { rows.push({ s: name, request, isEdit, a: a.slice(0, 60), kind: "none" }); continue; }
      const c = calls.get(h.part.callId); const now = steps[end] ?? steps[end - 1]!;
      const by = edits.filter((e: any) => e.boundary <= request && e.edit.type !== "undo" && String(e.edit.part).includes(h.part.callId)).map((e: any) => ({ au: e.edit.author, b: e.boundary, risk: e.edit.risk }));
      const paths = c?.use.files.map((t: any) => t.path) ?? [];
      const own = changes.filter((x) => paths.includes(x.path) && x.m < end);
      const base = paths.map((p: string) => p.split("/").at(-1)!);
      const u = users.filter((x) => x.m < end && base.some((b: string) => b && x.text.includes(b)));
      const prompts = users.filter((x) => x.m < end);
      rows.push({ s: name, request, isEdit, a: a.slice(0, 80), kind: c ? kindOfText(c.use) : "?", tool: c?.use.name, cmd: c?.use.command?.slice(0, 60), range: c?.use.files[0]?.range, path: paths.slice(0, 2).join(","), tokens: h.tokens, age: now - steps[h.message]!, sinceCut: request - (by.at(-1)?.b ?? 0), by, chg: own.map((x: any) => now - x.step).slice(-6), chgBeforeView: own.filter((x: any) => x.m < h.message).length, namedUser: u.length ? now - steps[u.at(-1)!.m]! : null, lastPrompt: now - (steps[prompts.at(-1)?.m ?? 0] ?? 0) });
    }
  };
  const bench = prepareReplay(rec);
  if (bench.unpruned.count < 30) continue;
  const { requests: _, ...tot } = bench.run(coldCoppice("c", { config }, rec));
  totals.push({ s: name, ...tot });
}
writeFileSync(out!, JSON.stringify({ rows, totals }));
