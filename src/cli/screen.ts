import pc from "picocolors";

type Colors = ReturnType<typeof pc.createColors>;

/** Where a command's output goes: results to standard output, all else to standard error. */
export interface Screen {
  print(text: string): void;
  note(text: string): void;
  /** Colours for `print` and for `note`: only where the stream is a terminal. */
  readonly paint: Colors;
  readonly paintNote: Colors;
  /** Sets the progress line at the bottom of a terminal; an empty text removes it. */
  status(text: string): void;
}

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
