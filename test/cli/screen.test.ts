import { WriteStream } from "node:tty";
import { describe, expect, test } from "vitest";
import { createScreen } from "../../src/cli/screen.ts";

/** A stream that keeps what is written, as a terminal or not. */
function openStream(isTTY: boolean) {
  const written: string[] = [];
  const stream: WriteStream = Object.create(WriteStream.prototype, {
    isTTY: { value: isTTY },
    columns: { value: 20 },
    write: { value: (text: string) => written.push(text) },
  });
  return { stream, written };
}

function open(isTTY: boolean, env: NodeJS.ProcessEnv = {}) {
  const [out, err] = [openStream(isTTY), openStream(isTTY)];
  return { screen: createScreen(out.stream, err.stream, env), out: out.written, err: err.written };
}

describe("createScreen", () => {
  test("paints only on a terminal", () => {
    expect(open(true).screen.paint.red("x")).toBe("\u001b[31mx\u001b[39m");
    expect(open(false).screen.paint.red("x")).toBe("x");
    expect(open(true, { NO_COLOR: "1" }).screen.paint.red("x")).toBe("x");
    expect(open(true, { TERM: "dumb" }).screen.paintNote.red("x")).toBe("x");
  });

  test("shows a status only on a terminal, cut to its width, and removes it before other output", () => {
    const { screen, out, err } = open(true);
    screen.status("a status longer than the line");
    screen.print("result\n");
    screen.note("word");
    expect(err).toEqual(["a status longer tha", "\r\u001b[K", "word\n"]);
    expect(out).toEqual(["result\n"]);
    const piped = open(false);
    piped.screen.status("status");
    piped.screen.status("");
    expect(piped.err).toEqual([]);
  });
});
