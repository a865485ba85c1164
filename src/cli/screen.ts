import pc from "picocolors";

type Colors = ReturnType<typeof pc.createColors>;

/** The outputs of a command: results go to standard output, everything else to standard error. */
export interface Screen {
  print(text: string): void;
  note(text: string): void;
  /** The most columns of a line. */
  readonly columns: number;
  /** Does `print` write to a terminal? Files and other programs get no bars. */
  readonly isTerminal: boolean;
  /** Colours for `print` and for `note`: only if the stream is a terminal. */
  readonly paint: Colors;
  readonly paintNote: Colors;
  /** Sets the progress line at the bottom of a terminal; an empty text removes it. */
  status(text: string): void;
}

/** The width of a line in a file, or for another program. */
const PIPED_COLUMNS = 120;
const LEAST_COLUMNS = 60;
/** Longer lines are hard to follow with the eye. */
const MOST_COLUMNS = 200;

export function createScreen(
  out: NodeJS.WriteStream = process.stdout,
  err: NodeJS.WriteStream = process.stderr,
  env: NodeJS.ProcessEnv = process.env,
): Screen {
  const mayPaint = !env.NO_COLOR && env.TERM !== "dumb";
  let isShown = false;
  const clear = (): void => {
    if (isShown) err.write("\r\u001b[K");
    isShown = false;
  };
  return {
    print(text) {
      clear();
      out.write(text);
    },
    note(text) {
      clear();
      err.write(`${text}\n`);
    },
    // A terminal's window may change.
    get columns() {
      const columns = out.columns ?? (Number(env.COLUMNS) || PIPED_COLUMNS);
      return Math.min(MOST_COLUMNS, Math.max(LEAST_COLUMNS, columns));
    },
    isTerminal: out.isTTY === true,
    paint: pc.createColors(out.isTTY && mayPaint),
    paintNote: pc.createColors(err.isTTY && mayPaint),
    status(text) {
      if (!err.isTTY) return;
      clear();
      if (text === "") return;
      err.write(text.slice(0, Math.max(10, (err.columns ?? 80) - 1)));
      isShown = true;
    },
  };
}
