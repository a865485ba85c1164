import { Transform, type TransformCallback } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Answer, AnswerReader } from "../../wires/wire.ts";
import { unzstd } from "./unzstd.ts";

export interface TapListener {
  /** Called with the calls so far, each time there are more: a client may run them while the answer still comes. */
  called(so: Pick<AnswerReader, "calls" | "calledTools">): void;
  /** Called once, at the end or when the answer breaks off. */
  ended(answer: Answer): void;
}

/**
 * Passes an answer on, chunk by chunk, while a reader takes usage and calls from it. Nothing waits for the reader,
 * and it can't change the answer.
 */
export class AnswerTap extends Transform {
  readonly #reader: AnswerReader;
  readonly #listener: TapListener;
  readonly #unpack: Transform | undefined;
  #called = 0;
  #isOpen = true;

  constructor(reader: AnswerReader, encoding: string | undefined, listener: TapListener) {
    super();
    this.#reader = reader;
    this.#listener = listener;
    this.#unpack = openUnpacker(encoding);
    this.#unpack?.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#unpack?.on("end", () => this.#end());
    // The client reports broken data.
    this.#unpack?.on("error", () => this.#end());
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    if (this.#unpack) this.#unpack.write(chunk);
    else this.#read(chunk);
    done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    if (this.#unpack) this.#unpack.end();
    else this.#end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#unpack && !error) this.#unpack.end();
    else this.#end();
    if (error) this.#unpack?.destroy();
    done(error);
  }

  #read(chunk: Buffer): void {
    this.#reader.push(chunk);
    const { calls, calledTools } = this.#reader;
    if (calls.length + calledTools.length === this.#called) return;
    this.#called = calls.length + calledTools.length;
    this.#listener.called({ calls, calledTools });
  }

  #end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#listener.ended(this.#reader.end());
  }
}

function openUnpacker(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    case "zstd":
      return gatherZstd();
    default:
      return undefined;
  }
}

/** The largest answer that is read, packed or unpacked, in bytes. The cost of larger ones is unknown. */
const MOST_GATHERED = 8_000_000;
const MOST_UNPACKED = 64_000_000;

/** Unpacks at the end, because only a complete body can be measured in advance. */
function gatherZstd(): Transform {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      size += chunk.length;
      if (size <= MOST_GATHERED) chunks.push(chunk);
      else chunks.length = 0;
      done();
    },
    flush(done) {
      try {
        if (size <= MOST_GATHERED) this.push(unzstd(Buffer.concat(chunks), MOST_UNPACKED));
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}
