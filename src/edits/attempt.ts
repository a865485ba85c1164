import type { Transcript } from "../transcript/transcript.ts";
import type { View } from "./view.ts";

/** The parts of a session that a change can touch. */
export interface Changeable {
  readonly transcript: Transcript;
  readonly view: View;
}

/** The outcome of an attempt, and whether its changes stay. */
export interface Attempted<T> {
  readonly keep: boolean;
  readonly value: T;
}

/** Changes a session as one transaction: all changes stay, or none. If `make` throws, none do. */
export function attempt<T>({ transcript, view }: Changeable, make: () => Attempted<T>): T {
  const mark = transcript.undoLog.mark();
  let isKept = false;
  try {
    const { keep, value } = make();
    isKept = keep;
    return value;
  } finally {
    if (!isKept) {
      transcript.rollback(mark);
      view.forget();
    }
  }
}
