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

/** The data of the report page. Plain JSON; indices refer to the lists of this object. */
export interface ReportData {
  readonly version: 1;
  readonly session: SessionData;
  readonly requests: readonly RequestData[];
  /** The contents of the context at the end, by tool (calls and results only) and by kind of part. Largest first. */
  readonly tokens: { readonly tools: readonly Amount[]; readonly kinds: readonly Amount[] };
  readonly bill: BillData;
  /**
   * Share of all sent tokens that would have been cut earlier if no reasoning were bound to them; missing if none.
   */
  readonly bound?: number;
  /** For a session that the proxy saw: the text before its first message. */
  readonly prefix?: SessionPrefix;
  readonly work: WorkData;
  readonly evidence: Evidence;
  readonly editEvidence: Evidence;
  readonly parts: readonly PartData[];
  readonly edits: readonly EditData[];
  /** Why nothing was cut, in one line; missing if something was. */
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

/** How the agent's work went, as recorded. */
export interface WorkData {
  readonly counts: WorkCounts;
  /** Coppice was active and has cut something. */
  readonly isPruned: boolean;
}

/** A stretch of the session in which every request begins with the one before. */
export interface SegmentData {
  /** Does it continue the segment before, after a compaction? If not, another conversation begins. */
  readonly continues: boolean;
  /** The first prompt of a conversation. */
  readonly prompt?: string;
}

/** One recorded request, original and as Coppice would have sent it. Tokens are estimates, including the prefix. */
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
  /** Including its answer; present if the model's price is known. */
  readonly dollars?: WithAndWithout;
  /** Costs outside the session since the previous request: subagents, retries. In US dollars. */
  readonly beside?: number;
  /** Its dollars are an estimate: no usage was recorded. */
  readonly estimated?: true;
  readonly window: number;
  /** Above this many tokens, the context is under pressure. */
  readonly threshold: number;
  readonly cut?: CutData;
  readonly evidence: Evidence;
  readonly editEvidence: Evidence;
}

export interface WithAndWithout {
  readonly with: number;
  readonly without: number;
}

/** The edits that one request made. */
export interface CutData {
  /** Why then. */
  readonly reason: CutReason;
  readonly edits: readonly number[];
  /** Tokens saved at each request from then on. */
  readonly saved: number;
}

/** The whole bill. `with` and `without` are for input alone, in tokens of plain input. */
export interface BillData extends WithAndWithout {
  /** The payments, and the payments with Coppice; present if the price of every model is known. */
  readonly dollars?: DollarBill;
  /** The remaining share of the whole bill, and of input alone; 1 is all. */
  readonly share: number;
  readonly inputShare: number;
  /** Requests that no longer began with the previous one while the cache was warm. */
  readonly breaks: WithAndWithout;
  /** The bill if rewriting after a cut cost no more than reading. */
  readonly rewriteFree: number;
  /** `share` if everything that the agent missed had been fetched: an upper bound for the cost of misses. */
  readonly fetchedShare: number;
  /** Steps that used text that was no longer in the context. */
  readonly misses: number;
  /** Why the provider's cache was lost, by inferred cause; the most expensive first. */
  readonly losses: readonly InferredSum[];
}

/** In US dollars. Recorded amounts have precedence. */
export interface DollarBill extends WithAndWithout {
  readonly input: WithAndWithout;
  readonly output: number;
  /** The part for text in no request of this page: subagents, retries, abandoned branches. */
  readonly beside: number;
  /** How much of `without` is estimated; 0: all of it was recorded. */
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
  /** The tool of calls and results, in lower case. */
  readonly tool?: string;
  /** The subject: `bash npm test`. Empty if role and kind are enough. */
  readonly title: string;
  readonly status?: ResultStatus;
  /** The first request that contained it; missing if it came after the last request. */
  readonly request?: number;
  readonly tokens: number;
  /** Its remaining tokens at the end. */
  readonly shown: number;
  readonly leaves: readonly LeafData[];
  /** All edits of this part, in order. */
  readonly edits: readonly number[];
  /** The edit that removed it from the context. */
  readonly dropped?: number;
}

/** A text of a part, in pieces that together are the original. */
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
  /** How likely its text is needed again, and the cost of that, as text. */
  readonly risk?: string;
  readonly parts: readonly number[];
  readonly undone?: { readonly request: number; readonly reason: string };
}
