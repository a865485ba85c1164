import { Decompress } from "fzstd";
import { measureZstd } from "./measure-zstd.ts";

/** Blocks have at most 128 kB when unpacked; this much is unpacked before the total is checked again. */
const SLICE = 16_384;
/** Every block moves the whole window. A body of the largest size with ordinary compression needs less than this. */
const MOVES_PER_BYTE = 64;

/**
 * For Node 20, which has no zstd.
 *
 * @throws if the data is broken, larger than `most` bytes when unpacked, or made to use too much memory or time
 */
export function unzstd(bytes: Buffer, most: number): Buffer {
  const { window, moved } = measureZstd(bytes);
  if (window > most) throw new RangeError("the window of a zstd frame is too large");
  if (moved > MOVES_PER_BYTE * most) throw new RangeError("too many zstd blocks for their window");
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isComplete = false;
  const stream = new Decompress((chunk, isFinal) => {
    size += chunk.length;
    if (size > most) throw new RangeError("too large when unpacked");
    chunks.push(chunk);
    isComplete ||= isFinal === true;
  });
  for (let at = 0; at < bytes.length; at += SLICE) {
    const end = Math.min(bytes.length, at + SLICE);
    stream.push(bytes.subarray(at, end), end === bytes.length);
  }
  if (!isComplete) throw new RangeError("the zstd data ends too early");
  return Buffer.concat(chunks);
}
