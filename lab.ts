import { readRecording } from "./src/recordings/index.ts";
import { prepareReplay } from "./src/replay/index.ts";
import { coldCoppice } from "./src/replay/cold-coppice.ts";
import { listSessions } from "./bench/economics/sessions.ts";
import { formatByName } from "./src/formats/detect.ts";
import { createToolKinds } from "./src/tool-kinds/tool-kinds.ts";
import { takeApartOnce } from "./bench/economics/take-apart-once.ts";
import { writeFileSync } from "node:fs";
const [folder, out, cfg] = process.argv.slice(2);
const config = cfg ? JSON.parse(cfg) : {};
const rows: any[] = []; const totals: any[] = [];
const kinds = createToolKinds();
for (const file of listSessions([folder!], undefined).filter((_: any, i: number) => i % Number(process.env.EVERY ?? 1) === 0)) {
  const read = await readRecording(file);
  if (!read.ok) continue;
  const rec = read.value;
  const n = rec.segments.reduce((s: number, g: any) => s + g.messages.length, 0);
  if (n < 60) continue;
  let edits: any[] = [];
  let seg: any;
  (globalThis as any).__fold = (s: any, e: any) => { seg = s; edits = e; };
  const f = formatByName(rec.format);
  (globalThis as any).__lost = undefined;
  const name = file.split("/").slice(-2).join("/");
  (globalThis as any).__lost = ({ request, end, lost, lostEdits, holders, edits: used }: any) => {
    for (const [list, isEdit] of [[lost, 0], [lostEdits, 1]] as any) for (const a of list) {
      const hs = holders(a).filter((p: any) => p.message < end);
      const h = hs[hs.length - 1];
      rows.push({ s: name, request, end, isEdit, a: a.slice(0, 60), hs: hs.slice(-4).map((h: any) => ({ by: edits.filter((e: any) => e.boundary <= request && e.edit.type !== 'undo' && h.part.callId !== undefined && String(e.edit.part).includes(h.part.callId)).map((e: any) => `${e.edit.author}@${e.boundary}`), m: h.message, t: h.tokens, k: h.part.kind, id: h.part.callId, tool: h.part.tool, role: h.part.role })) , ed: edits.filter((e: any) => e.boundary <= request).length });
    }
  };
  takeApartOnce(rec.format);
  const bench = prepareReplay(rec);
  const { requests: _, ...tot } = bench.run(coldCoppice("c", { config }, rec));
  totals.push({ s: name, ...tot, perAuthor: undefined });
  process.stderr.write(`${name} ${rows.filter((r) => r.s === name && r.isEdit).length}\n`);
}
writeFileSync(out!, JSON.stringify({ rows, totals }));
