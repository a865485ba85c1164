import { figureCaches } from "../analysis/cache-figures.ts";
import { measureWork } from "../analysis/measure-work.ts";
import type { SessionPrefix } from "../analysis/session-prefix.ts";
import type { Config, PartialConfig } from "../config/config.ts";
import { mergeLevels } from "../config/merge.ts";
import { addWork } from "../facts/work-counts.ts";
import { formatByName } from "../formats/detect.ts";
import { textProtocolsWith } from "../formats/text-protocols/text-protocols.ts";
import { profilePricedAs } from "../models/profile-for.ts";
import type { Recording } from "../recordings/recording.ts";
import { labelSegment, labelSession } from "../recordings/session-label.ts";
import { coppicePolicy } from "../replay/coppice-policy.ts";
import type { Book } from "../replay/open-book.ts";
import { listBills, prepareReplay, type Replay, type ReplayBench } from "../replay/replay.ts";
import { sum } from "../replay/sum.ts";
import type { Uncut } from "../reports/uncut.ts";
import { createToolKinds } from "../tool-kinds/tool-kinds.ts";
import { addUpTokens } from "./add-up-tokens.ts";
import type { BillData, CutData, EditData, PartData, ReportData, RequestData, SegmentData } from "./data.ts";
import { readSegment } from "./read-segment.ts";
import { type LoggedRequest, SegmentLog } from "./segment-log.ts";

export interface ReportDataOptions {
  readonly config?: PartialConfig;
  /** Were the secrets of the recording masked before it was read? The page says so. */
  readonly redacted?: boolean;
  /** System prompt and tool schemas, in tokens, if known. */
  readonly prefixTokens?: number;
  /**
   * If the agent had Coppice's tools: the tokens that they and our system text added to a request. Its calls of
   * them are carried out.
   */
  readonly agentTools?: { readonly overheadTokens: number };
  /** Did markers name refs? Default: true. */
  readonly showsRefs?: boolean;
  /** The text before the first message, if it is known. */
  readonly prefix?: SessionPrefix;
  /** Is it known that Coppice pruned the live session? */
  readonly isPruned?: boolean;
}

/** A recorded session with and without Coppice, part by part. `shadow` in the configuration is ignored. */
export function buildReportData(recording: Recording, options: ReportDataOptions = {}): ReportData {
  const partial: PartialConfig = { ...options.config, shadow: false };
  const { config } = mergeLevels([{ name: "options", config: partial }]);
  const logs = recording.segments.map(() => new SegmentLog());
  const { prefixTokens, agentTools, showsRefs = true } = options;
  let uncut: Uncut | undefined;
  const policy = coppicePolicy(
    { config: partial, showsRefs, ...(agentTools && { ...agentTools, agentTools: true }) },
    "coppice",
    (report, request) => {
      logs[request.segment]?.add(report, request);
      uncut = report.uncut;
    },
  );
  const bench = prepareReplay(recording, {
    prices: config.schedule.prices,
    pricedAs: config.schedule.model,
    ...(prefixTokens !== undefined && { prefixTokens }),
  });
  const pruned = bench.run(policy);

  const parts: PartData[] = [];
  const edits: EditData[] = [];
  const kinds = createToolKinds(config.toolKinds);
  const format = formatByName(recording.format);
  const textProtocols = textProtocolsWith(config.textProtocols);
  for (const [i, log] of logs.entries()) {
    const segment = recording.segments[i];
    if (!segment) continue;
    const place = { segment: i, parts: parts.length, edits: edits.length };
    const content = readSegment(segment, log, place, { format, kinds, textProtocols });
    for (const part of content.parts) parts.push(part);
    for (const edit of content.edits) edits.push(edit);
  }

  const logged = logs.flatMap(({ requests }) => requests);
  const requests = listRequests(bench, pruned, logged, edits, config);
  return {
    version: 1,
    session: describeSession(recording, options.redacted ?? false),
    requests,
    tokens: addUpTokens(parts),
    bill: addUpBills(bench, pruned, listLosses(recording, bench, config)),
    ...addUpBound(logged, pruned),
    ...(options.prefix && { prefix: options.prefix }),
    work: { counts: addWork(measureWork(recording)), isPruned: options.isPruned ?? false },
    evidence: pruned.evidence,
    editEvidence: pruned.editEvidence,
    parts,
    edits,
    ...(edits.length === 0 && sayUncut(uncut)),
    issues: [...recording.issues, ...pruned.issues],
  };
}

function describeSession(recording: Recording, redacted: boolean): ReportData["session"] {
  const { source, session, models, segments, skipped, format } = recording;
  return {
    source,
    ...(session !== undefined && { id: session }),
    ...labelSession(recording),
    models,
    segments: segments.map((segment, i): SegmentData => {
      if (i > 0 && !segment.separate) return { continues: true };
      const prompt = labelSegment(segment, format);
      return { continues: false, ...(prompt !== undefined && { prompt }) };
    }),
    skipped,
    redacted,
  };
}

function listRequests(
  { unpruned, book }: ReplayBench,
  pruned: Replay,
  logged: readonly LoggedRequest[],
  edits: readonly EditData[],
  { strategies }: Config,
): readonly RequestData[] {
  const cuts = listCuts(logged, edits);
  const dollars = book.priceRequests(listBills(pruned.requests));
  const beside = spreadAsides(book, pruned.requests);
  return pruned.requests.map((request, i) => {
    const { segment, model, time, tokens, cached, bill, evidence, editEvidence } = request;
    const { tokens: raw = tokens, bill: without = bill } = unpruned.requests[i] ?? {};
    const window = logged[i]?.window ?? 0;
    const cut = cuts.get(i);
    const entry = book.entries[i];
    const { paid = 0, left = 0 } = dollars[i] ?? {};
    return {
      segment,
      ...(model !== undefined && { model }),
      ...(time !== undefined && { time }),
      raw,
      pruned: tokens,
      cached,
      bill: { with: bill, without },
      ...(!entry?.unpriced && { dollars: { with: left, without: paid } }),
      ...(beside.has(i) && { beside: beside.get(i) ?? 0 }),
      ...((entry?.estimated.input || entry?.estimated.output) && { estimated: true }),
      window,
      threshold: window * strategies.compactThreshold,
      ...(cut && { cut }),
      evidence,
      editEvidence,
    };
  });
}

/** Costs outside the session, by the first request after each. */
function spreadAsides(
  { entries }: Book,
  requests: readonly { readonly time?: number }[],
): ReadonlyMap<number, number> {
  const asides = entries
    .slice(requests.length)
    .filter(({ unpriced }) => !unpriced)
    .toSorted((a, b) => (a.time ?? Number.POSITIVE_INFINITY) - (b.time ?? Number.POSITIVE_INFINITY));
  const spread = new Map<number, number>();
  let at = 0;
  for (const { time = Number.POSITIVE_INFINITY, input, output } of asides) {
    while (at < requests.length - 1 && (requests[at]?.time ?? Number.NEGATIVE_INFINITY) < time) at++;
    spread.set(at, (spread.get(at) ?? 0) + input + output);
  }
  return spread;
}

/** Cuts by request. Text that a request restored is subtracted from its savings. */
function listCuts(
  logged: readonly LoggedRequest[],
  edits: readonly EditData[],
): ReadonlyMap<number, CutData> {
  const editsAt = new Map<number, number[]>();
  const savedAt = new Map<number, number>();
  const save = (request: number, saved: number) => savedAt.set(request, (savedAt.get(request) ?? 0) + saved);
  for (const [i, { request, saved, undone }] of edits.entries()) {
    const others = editsAt.get(request);
    if (others) others.push(i);
    else editsAt.set(request, [i]);
    save(request, saved);
    if (undone) save(undone.request, -saved);
  }
  return new Map(
    logged.flatMap(({ index, reason }) => {
      if (!reason) return [];
      return [[index, { reason, edits: editsAt.get(index) ?? [], saved: savedAt.get(index) ?? 0 }]];
    }),
  );
}

function addUpBound(logged: readonly LoggedRequest[], pruned: Replay): Pick<ReportData, "bound"> {
  const bound = sum(logged.map((request) => request.bound));
  return bound > 0 ? { bound: bound / sum(pruned.requests.map(({ tokens }) => tokens)) } : {};
}

/** Inferred as in `analyze`, over all days. */
function listLosses(recording: Recording, bench: ReplayBench, { schedule }: Config): BillData["losses"] {
  const { model, prices } = schedule;
  return figureCaches(recording, bench, [], (id) => profilePricedAs(id, model, prices))(undefined).losses;
}

function addUpBills({ unpruned, book }: ReplayBench, pruned: Replay, losses: BillData["losses"]): BillData {
  const { input, output, estimated, dollars: paid } = book.paid;
  const { dollars } = pruned;
  const asides = book.entries.slice(pruned.requests.length).filter(({ unpriced }) => !unpriced);
  return {
    with: pruned.bill,
    without: unpruned.bill,
    ...(dollars !== undefined &&
      book.entries.length > 0 && {
        dollars: {
          with: dollars,
          without: paid,
          input: { with: input - (paid - dollars), without: input },
          output,
          beside: sum(asides.map((aside) => aside.input + aside.output)),
          estimated,
        },
      }),
    share: pruned.share,
    inputShare: pruned.inputShare,
    breaks: { with: pruned.breaks, without: unpruned.breaks },
    rewriteFree: pruned.rewriteFree,
    fetchedShare: pruned.fetchedShare,
    misses: pruned.misses,
    losses,
  };
}

function sayUncut(uncut: Uncut | undefined): Pick<ReportData, "uncut"> {
  return uncut ? { uncut: uncut.message } : {};
}
