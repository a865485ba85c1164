import { SCHEDULER } from "../edits/authors.ts";
import type { Cutting } from "../edits/cutting.ts";
import type { Cut } from "../edits/edit.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import { MOST_FETCHED, priceFetched } from "../risk/fetch-price.ts";
import type { Now } from "./now.ts";
import { readBefore } from "./prompt-cache.ts";
import type { Session } from "./scheduler.ts";

/**
 * Undoes cuts of views whose files are worked on now: the task names them, or the agent is changing them. Only if
 * that is cheap: after this request's cut, in a cold cache, or so near the end that reading the file again would cost
 * more.
 */
export function takeBack(
  delta: Delta,
  session: Session,
  now: Now & { readonly floor: number },
  cutting: Cutting,
): void {
  const { facts, account } = session;
  const made = new Set<unknown>(cutting.edits);
  const cuts = hasPrompt(delta, facts) ? listAll(session) : listChanged(delta, session);
  const workedOn = cuts.flatMap((cut) => {
    const part = facts.transcript.find(cut.part);
    const view = part === undefined || made.has(cut) ? undefined : facts.calls.of(part);
    return view && view.result > now.floor && facts.taskFiles.isWorkedOn(view)
      ? [{ cut, part: view.result }]
      : [];
  });
  // An undone cut makes all later ones free.
  for (const { cut, part } of workedOn.sort((a, b) => b.part - a.part)) {
    const cost = costOf(part, session, now, cutting.from);
    // The text that comes back is written too. If it had never been cut, it would have been read.
    const loss = cost + (now.prices.write - now.prices.read) * cut.saved;
    if (cost > 0 && (loss > account.allowance || cost > priceReading(cut, session, now))) return;
    cutting.undo([cut], SCHEDULER, "its file is being worked on");
  }
}

/** The price of writing the text after this part again. */
function costOf(part: number, { view }: Session, { cached, prices }: Now, from: number): number {
  const end = Math.min(cached.blocks, from);
  if (part >= end) return 0;
  let follows = 0;
  for (let i = part; i < end; i++) follows += view.tokens[i] ?? 0;
  const { entries } = cached;
  const lost = entries ? Math.max(follows, cached.tokens - readBefore(entries, part)) : follows;
  return (prices.write - prices.read) * lost;
}

function priceReading({ saved }: Cut, { account }: Session, { prices }: Now): number {
  return prices.read * account.with.last.total + priceFetched(Math.min(saved, MOST_FETCHED), prices);
}

function hasPrompt({ from, to }: Delta, { transcript }: Facts): boolean {
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    if (part.kind === "text" && part.role === "user" && !part.synthetic) return true;
  }
  return false;
}

/** Is it a rule's cut that puts lines at risk? */
function isAtRisk({ risk }: Cut): boolean {
  return risk?.kind !== undefined;
}

function listAll({ ledger }: Session): readonly Cut[] {
  return ledger.active().filter(isAtRisk);
}

function listChanged(delta: Delta, { facts, ledger }: Session): readonly Cut[] {
  const paths = new Set(
    delta.completed.flatMap(({ use }) =>
      use.files.flatMap(({ operation, path }) => (operation === "read" ? [] : [path])),
    ),
  );
  const views = [...paths].flatMap((path) => facts.files.views(path));
  return views.flatMap(({ result }) => ledger.cutsOf(facts.transcript.key(result))).filter(isAtRisk);
}
