import { readRecording } from "./src/recordings/index.ts";
import { listSessions } from "./bench/economics/sessions.ts";
import { formatByName } from "./src/formats/detect.ts";
import { joinResponses } from "./src/intake/decode.ts";
import { createToolKinds } from "./src/tool-kinds/tool-kinds.ts";
import { kindOfText } from "./src/risk/need-table.ts";
import { listRequests } from "./src/replay/requests.ts";
import { listTexts } from "./src/replay/sent-view.ts";
import { AnchorIndex } from "./src/replay/anchor-index.ts";
import { collectAnchors, collectEditAnchors } from "./src/replay/anchors.ts";
import { showsFiles } from "./src/facts/files.ts";
import { countPart } from "./src/transcript/transcript.ts";
import { writeFileSync } from "node:fs";
const [folder, out] = process.argv.slice(2);
const kinds = createToolKinds();
const AGES = [1, 2, 3, 5, 8, 12, 20, 30, 50, 80];
const rows: any[] = [];
const esc = (s: string) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
for (const file of listSessions([folder!], undefined)) {
  const read = await readRecording(file);
  if (!read.ok) continue;
  const rec = read.value;
  const name = file.split("/").slice(-2).join("/");
  const f = formatByName(rec.format);
  for (const segment of rec.segments) {
    const decoded = joinResponses(segment.messages.map((m: any) => f.decode(m)));
    const requests = listRequests(segment, decoded);
    if (requests.length < 30) continue;
    const reqOf: number[] = []; { let r = 0; for (let m = 0; m < decoded.length; m++) { while (r < requests.length && requests[r]!.end <= m) r++; reqOf[m] = r; } }
    // reqOf[m] = index of first request that includes message m  (end > m)
    const parts = decoded.flatMap(({ parts }: any, message: number) => parts.map((part: any) => ({ part, message, texts: listTexts(part) })));
    const uses = new Map<string, any>();
    const plans: any[] = []; const prompts: any[] = [], agentTexts: any[] = [], changes: any[] = [], todos: any[] = [];
    for (const { part, message, texts } of parts as any[]) {
      if (part.kind === "call") {
        const use = kinds.describe(part.tool, part.input); uses.set(part.callId, use);
        for (const t of use.files) if (t.operation !== "read") changes.push({ path: t.path, r: reqOf[message] });
        if (use.todos) todos.push({ r: reqOf[message], partial: use.partial, todos: use.todos });
        else if (/plan/i.test(part.tool)) plans.push({ r: reqOf[message], text: texts.join("\n") });
      }
      if (part.kind === "text" && part.role === "user" && !part.synthetic) prompts.push({ r: reqOf[message], text: texts.join("\n") });
      if (part.kind === "text" && part.role === "assistant") agentTexts.push({ r: reqOf[message], text: texts.join("\n") });
    }
    for (const { part, message, texts } of parts as any[]) if (part.kind === "result") { const u = uses.get(part.callId); const b = u?.files[0]?.path; if (b && /\.(md|txt|rst|adoc)$/i.test(b) && showsFiles(u)) { const base = b.split("/").at(-1)!; if (prompts.some((p) => p.r <= reqOf[message]! && p.text.includes(base)) || /plan|todo|spec|design/i.test(b)) plans.push({ r: reqOf[message], text: texts.join("\n") }); } }
    const symsOf = (t: string) => new Set((t.match(/[A-Za-z_$][\w$]{5,}/g) ?? []).filter((w) => /[a-z][A-Z]|_|[A-Z][a-z]+[A-Z]/.test(w)));
    const promptSyms = prompts.map((p) => ({ r: p.r, syms: symsOf(p.text.slice(0, 20000)) }));
    const viewSyms = new Map<string, number>();
    for (const { part, texts } of parts as any[]) if (part.kind === "result") for (const w of new Set<string>(texts.flatMap((t: string) => [...symsOf(t)]))) viewSyms.set(w, (viewSyms.get(w) ?? 0) + 1);
    const steps = requests.map(({ end }: any) => {
      let to = end + 1; while (decoded[to]?.isItem && decoded[to - 1]?.isItem) to++;
      const said = decoded.slice(end, to).flatMap((e: any) => e.parts);
      return { edits: new Set<string>(said.filter((p: any) => p.kind === "call" && uses.get(p.callId)?.kind === "edit").flatMap((p: any) => [...collectEditAnchors(p)])) };
    });
    const places = new Map<string, number[]>();
    for (const [i, { texts }] of (parts as any[]).entries()) for (const t of new Set(texts as string[])) (places.get(t) ?? places.set(t, []).get(t)!).push(i);
    const texts = [...places.keys()];
    const index = new AnchorIndex(steps.flatMap((s) => [...s.edits]), texts);
    const needs = new Map<number, { step: number; n: number }[]>();
    for (const [step, { edits }] of steps.entries()) {
      const end = requests[step]!.end;
      const per = new Map<number, number>();
      for (const a of edits) {
        const hs = index.holders(a).flatMap((t) => places.get(texts[t]!) ?? []).filter((i) => parts[i]!.message < end);
        const first = Math.min(...hs); if (!hs.length || !(parts[first]!.part.kind === "result" || parts[first]!.part.role === "user")) continue;
        const last = Math.max(...hs); per.set(last, (per.get(last) ?? 0) + 1);
      }
      for (const [i, n] of per) (needs.get(i) ?? needs.set(i, []).get(i)!).push({ step, n });
    }
    const nReq = requests.length;
    for (const [i, { part, message }] of (parts as any[]).entries()) {
      if (part.kind !== "result") continue;
      const use = uses.get(part.callId); if (!use) continue;
      const tokens = countPart(part); if (tokens < 80) continue;
      const kind = showsFiles(use) ? "view" : kindOfText(use);
      const born = reqOf[message]!; // first request that shows it
      const later = needs.get(i) ?? [];
      const paths: string[] = use.files.map((t: any) => t.path);
      const bases = paths.map((p) => p.split("/").at(-1)!).filter((b) => b.length > 2);
      const rx = bases.length ? new RegExp(`(?<![\\w.-])(?:${bases.map(esc).join("|")})(?![\\w-]|\\.\\w)`) : undefined;
      const dirs = paths.flatMap((p) => { const d = p.split("/").slice(0, -1).filter(Boolean); return d.length >= 2 ? [d.slice(-2).join("/")] : []; });
      const drx = dirs.length ? new RegExp(`(?<![\\w.-])(?:${dirs.map(esc).join("|")})(?![\\w.-])`) : undefined;
      const namedP = rx ? prompts.filter((p) => rx.test(p.text)).map((p) => p.r) : [];
      const dirP = drx ? prompts.filter((p) => drx.test(p.text)).map((p) => p.r) : [];
      const namedA = rx ? agentTexts.filter((p) => rx.test(p.text)).map((p) => p.r) : [];
      const own = symsOf(parts[i]!.texts.join("\n"));
      const symP = promptSyms.filter((p) => [...p.syms].some((w) => own.has(w) && (viewSyms.get(w) ?? 0) <= 2)).map((p) => p.r);
      const namedPlan = rx ? plans.filter((p) => p.r < nReq && rx.test(p.text)).map((p) => p.r) : [];
      const chg = changes.filter((c) => paths.includes(c.path)).map((c) => c.r);
      for (const a of AGES) {
        const now = born + a; // request index at which the cut would first be absent
        if (now >= nReq) break;
        const task = prompts.filter((p) => p.r <= now && (p.text.length > 300 || /[\w-]\.[a-z]{1,5}\b|\w\/\w/.test(p.text))).at(-1)?.r ?? 0;
        const lastPrompt = prompts.filter((p) => p.r <= now).at(-1)?.r ?? 0;
        const promptsNow = prompts.filter((p) => p.r <= now);
        let openTodo = false; let hasTodos = false;
        const lt = todos.filter((t) => t.r <= now).at(-1);
        if (lt && rx) { hasTodos = true; openTodo = lt.todos.some((t: any) => t.status !== "completed" && rx.test(t.text ?? "")); }
        const y = later.filter((n) => n.step >= now);
        rows.push({ s: name, src: rec.format, kind, tool: use.kind, tokens, age: a, y: y.length, yl: y.reduce((s, n) => s + n.n, 0), next: y[0] ? y[0].step - now : -1, left: nReq - now,
          sinceChg: (() => { const c = chg.filter((c) => c < now).at(-1); return c === undefined ? -1 : now - c; })(),
          chgSince: chg.filter((c) => c < now && c >= born).length, chgBefore: chg.filter((c) => c < born).length,
          nP: namedP.some((r) => r <= now) ? (namedP.some((r) => r === lastPrompt) ? 2 : 1) : 0, nT: namedP.some((r) => r <= now) ? (namedP.some((r) => r <= now && r >= task) ? 2 : 1) : 0, dP: dirP.some((r) => r <= now) ? 1 : 0,
          nA: (() => { const c = namedA.filter((c) => c < now).at(-1); return c === undefined ? -1 : now - c; })(), openTodo, hasTodos, plan: namedPlan.some((r: number) => r <= now), sym: symP.some((r) => r <= now) ? (symP.some((r) => r === lastPrompt) ? 2 : 1) : 0,
          exploring: !changes.some((c) => c.r < now && c.r >= lastPrompt), sincePrompt: now - lastPrompt, promptAfter: prompts.filter((p) => p.r > born && p.r <= now).length, range: !!use.files[0]?.range });
      }
    }
  }
}
writeFileSync(out!, JSON.stringify(rows));
console.error(rows.length);
