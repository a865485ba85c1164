import type { PartKey } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import type { UndoLog } from "../transcript/undo-log.ts";
import { type Cut, type DropEdit, type Edit, type EditId, isLossless, type ReplaceEdit } from "./edit.ts";

export interface LedgerEntry {
  readonly edit: Edit;
  /** The number of the request that was the first to show it. */
  readonly request: number;
}

/** All edits ever made, in order, and which of them are active. The only place where an edit takes effect. */
export class Ledger {
  readonly entries: LedgerEntry[] = [];
  readonly #active = new Map<EditId, Cut>();
  readonly #uses = new Map<Ref, number>();
  readonly #replaced = new Map<PartKey, ReplaceEdit[]>();
  readonly #replacedOnLeaf = new Map<string, ReplaceEdit[]>();
  readonly #dropped = new Map<PartKey, DropEdit[]>();
  readonly #needed = new Map<PartKey, EditId[]>();
  readonly #referred = new Map<PartKey, EditId[]>();
  readonly #state = { hasCut: false };
  readonly #undoLog: UndoLog;

  constructor(undoLog: UndoLog) {
    this.#undoLog = undoLog;
  }

  /** Records an edit that the guard has allowed. Returns the parts whose view changes. */
  record(edit: Edit, request: number): readonly PartKey[] {
    this.#undoLog.push(this.entries, { edit, request });
    if (edit.type !== "undo" && !isLossless(edit)) this.#undoLog.put(this.#state, "hasCut", true);
    return edit.type === "undo" ? this.#takeBack(edit.target) : this.#stand(edit);
  }

  /** Was any text ever cut? */
  get hasCut(): boolean {
    return this.#state.hasCut;
  }

  /** The id of the next edit with this ref. */
  nextId(ref: Ref): EditId {
    return `${ref}.${(this.#uses.get(ref) ?? 0) + 1}` as EditId;
  }

  active(): readonly Cut[] {
    return this.entries.flatMap(({ edit }) =>
      edit.type !== "undo" && this.#active.get(edit.id) ? [edit] : [],
    );
  }

  stands(id: EditId): boolean {
    return this.#active.has(id);
  }

  /** Active replacements in a part, on any of its leaves, oldest first. */
  replacements(part: PartKey): readonly ReplaceEdit[] {
    return this.#replaced.get(part) ?? NONE;
  }

  /** Active replacements in one leaf, oldest first. */
  replacementsOf(part: PartKey, leaf: string): readonly ReplaceEdit[] {
    return this.#replaced.has(part) ? (this.#replacedOnLeaf.get(leafKey(part, leaf)) ?? NONE) : NONE;
  }

  /** All active cuts that change a part. */
  cutsOf(part: PartKey): readonly Cut[] {
    return [...this.replacements(part), ...(this.#dropped.get(part) ?? NONE)];
  }

  isDropped(part: PartKey): boolean {
    return (this.#dropped.get(part) ?? NONE).length > 0;
  }

  /** Is any of the part's text cut? */
  isCut(part: PartKey): boolean {
    return this.isDropped(part) || this.replacements(part).some((edit) => !isLossless(edit));
  }

  /** The active edit that refers to this part and so protects it. */
  neededBy(part: PartKey): EditId | undefined {
    return this.#needed.get(part)?.[0];
  }

  /** The active edits that refer to this part and yield when it is cut. */
  yieldingTo(part: PartKey): readonly Cut[] {
    return (this.#referred.get(part) ?? NONE).flatMap((id) => this.#active.get(id) ?? []);
  }

  #stand(edit: Cut): readonly PartKey[] {
    this.#undoLog.set(this.#active, edit.id, edit);
    this.#undoLog.set(this.#uses, edit.ref, (this.#uses.get(edit.ref) ?? 0) + 1);
    for (const need of edit.needs) this.#add(this.#needs(edit), need, edit.id);
    if (edit.type === "replace") {
      this.#add(this.#replaced, edit.part, edit);
      this.#add(this.#replacedOnLeaf, leafKey(edit.part, edit.leaf), edit);
    } else for (const part of edit.parts) this.#add(this.#dropped, part, edit);
    return touchedBy(edit);
  }

  #takeBack(id: EditId): readonly PartKey[] {
    const edit = this.#active.get(id);
    if (!edit) return NONE;
    this.#undoLog.remove(this.#active, id);
    for (const need of edit.needs) this.#remove(this.#needs(edit), need, id);
    if (edit.type === "replace") {
      this.#remove(this.#replaced, edit.part, edit);
      this.#remove(this.#replacedOnLeaf, leafKey(edit.part, edit.leaf), edit);
    } else for (const part of edit.parts) this.#remove(this.#dropped, part, edit);
    return touchedBy(edit);
  }

  #needs({ yields }: Cut): Map<PartKey, EditId[]> {
    return yields ? this.#referred : this.#needed;
  }

  #add<K, T>(map: Map<K, T[]>, key: K, item: T): void {
    const list = map.get(key);
    if (list) this.#undoLog.push(list, item);
    else this.#undoLog.set(map, key, [item]);
  }

  #remove<K, T>(map: Map<K, T[]>, key: K, item: T): void {
    const list = map.get(key) ?? [];
    const at = list.lastIndexOf(item);
    this.#undoLog.set(map, key, list.toSpliced(at, 1));
  }
}

function leafKey(part: PartKey, leaf: string): string {
  return `${part}\u0000${leaf}`;
}

function touchedBy(edit: Cut): readonly PartKey[] {
  return edit.type === "replace" ? [edit.part] : edit.parts;
}

const NONE: readonly never[] = [];
