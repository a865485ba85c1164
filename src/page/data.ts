import type { InferredSum } from "../analysis/cache-figures.ts";
import type { SessionPrefix } from "../analysis/session-prefix.ts";
import type { Issue } from "../basics/issue.ts";
import type { Mechanism } from "../edits/mechanism.ts";
import type { WorkCounts } from "../facts/work-counts.ts";
import type { RecordingSource } from "../recordings/recording.ts";
import type { SessionLabel } from "../recordings/session-label.ts";
import type { Evidence } from "../replay/evidence.ts";
import type { CutReason } from "../schedule/choose-cut.ts";
import type { PartKind, ResultStatus, Role } from "../transcript/part.ts";

/** All that the report page shows. Plain JSON; indices are into the lists of this object. */
export interface ReportData {
  readonly version: 1;
  readonly session: SessionData;
  readonly requests: readonly RequestData[];
  /** What the context held at the end, by tool (calls and results only) and by kind of part. Largest first. */
  readonly tokens: { readonly tools: readonly Amount[]; readonly kinds: readonly Amount[] };
  readonly bill: BillData;
  /** Share of all tokens sent that would have been cut before, if no reasoning were bound to them; missing if none. */
  readonly bound?: number;
  /** Of a session that the proxy saw: what it sends before its first message. */
  readonly prefix?: SessionPrefix;
  readonly work: WorkData;
  readonly evidence: Evidence;
  readonly editEvidence: Evidence;
  readonly parts: readonly PartData[];
  readonly edits: readonly EditData[];
  /** Why nothing was cut, in a line; missing where something was. */
  readonly uncut?: string;
  readonly issues: readonly Issue[];
}

export interface SessionData extends SessionLabel {
  readonly source: RecordingSource;
  readonly id?: string;
  readonly models: readonly string[];
  readonly segments: readonly SegmentData[];
  /** Lines of the recording that could not be read. */
  readonly skipped: number;
  readonly redacted: boolean;
}

/** How the agent's work went, as it was recorded. */
export interface WorkData {
  readonly counts: WorkCounts;
  /** Coppice was there and has cut something. */
  readonly isPruned: boolean;
}

/** A stretch of the session in which every request begins with the one before. */
export interface SegmentData {
  /** Does the segment before go on here, after a compaction? Else another conversation begins. */
  readonly continues: boolean;
  /** What a conversation began with. */
  readonly prompt?: string;
}

/** One recorded request, as it was and as Coppice would have sent it. Tokens are estimated, the prefix included. */
export interface RequestData {
  readonly segment: number;
  readonly model?: string;
  readonly time?: number;
  readonly raw: number;
  readonly pruned: number;
  /** How many of the `pruned` tokens were in the provider's cache. */
  readonly cached: number;
  /** In tokens of plain input. */
  readonly bill: WithAndWithout;
  /** With its answer; where the model's price is known. */
  readonly dollars?: WithAndWithout;
  /** What was paid for beside the session since the request before: subagents, retries. In US dollars. */
  readonly beside?: number;
  /** Its dollars rest on an estimate: no usage was recorded. */
  readonly estimated?: true;
  readonly window: number;
  /** Above this many tokens the context is under pressure. */
  readonly threshold: number;
  readonly cut?: CutData;
  readonly evidence: Evidence;
  readonly editEvidence: Evidence;
}

export interface WithAndWithout {
  readonly with: number;
  readonly without: number;
}

/** The edits that one request was the first to show. */
export interface CutData {
  /** Why then. */
  readonly reason: CutReason;
  readonly edits: readonly number[];
  /** Tokens saved at each request from then on. */
  readonly saved: number;
}

/** The whole bill. `with` and `without` are of input alone, in tokens of plain input. */
export interface BillData extends WithAndWithout {
  /** What was paid and what would have been; where the price of every model is known. */
  readonly dollars?: DollarBill;
  /** What is left of the whole bill, and of input alone; 1 is all. */
  readonly share: number;
  readonly inputShare: number;
  /** Requests that no longer began with the previous one while the cache was warm. */
  readonly breaks: WithAndWithout;
  /** The bill if rewriting after a cut cost no more than reading. */
  readonly rewriteFree: number;
  /** `share` if everything that the agent missed had been fetched: an upper bound of what misses cost. */
  readonly fetchedShare: number;
  /** Steps that used something which was no longer in the context. */
  readonly misses: number;
  /** Why the provider's cache was lost as recorded, by inferred cause; what cost most comes first. */
  readonly losses: readonly InferredSum[];
}

/** In US dollars. What was recorded counts first. */
export interface DollarBill extends WithAndWithout {
  readonly input: WithAndWithout;
  readonly output: number;
  /** Of it for what stands in no request of this page: subagents, retries, abandoned branches. */
  readonly beside: number;
  /** How much of `without` rests on an estimate; 0: all of it was recorded. */
  readonly estimated: number;
}

export interface Amount {
  readonly name: string;
  readonly parts: number;
  readonly raw: number;
  readonly pruned: number;
}

export interface PartData {
  readonly segment: number;
  readonly kind: PartKind;
  readonly role: Role;
  /** Of calls and their results, in lower case. */
  readonly tool?: string;
  /** What it is about: `bash npm test`. Empty where role and kind say it all. */
  readonly title: string;
  readonly status?: ResultStatus;
  /** The first request that it was sent with; missing if it came after the last request. */
  readonly request?: number;
  readonly tokens: number;
  /** Tokens that are left of it at the end. */
  readonly shown: number;
  readonly leaves: readonly LeafData[];
  /** All edits of this part, in order. */
  readonly edits: readonly number[];
  /** The edit that took it out of the context. */
  readonly dropped?: number;
}

/** A text of a part, as pieces that make up the original. */
export interface LeafData {
  /** `text`, `output`, `input/command`. */
  readonly name: string;
  readonly pieces: readonly ShownPiece[];
}

/** Original text that is still shown, or that an edit has replaced. */
export interface ShownPiece {
  readonly text: string;
  readonly cut?: { readonly edit: number; readonly instead: string };
}

export interface EditData {
  readonly ref: string;
  readonly type: "replace" | "drop";
  readonly mechanism: Mechanism;
  readonly reason: string;
  /** The first request that showed it. */
  readonly request: number;
  readonly saved: number;
  /** How likely its text is needed again, and what that would cost, in words. */
  readonly risk?: string;
  readonly parts: readonly number[];
  readonly undone?: { readonly request: number; readonly reason: string };
}
