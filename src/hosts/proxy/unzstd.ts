import { Decompress } from "fzstd";

/** Blocks are at most 128 kB when unpacked; so little is unpacked before the sum is looked at again. */
const SLICE = 16_384;

/** Node 20 has no zstd of its own. @throws where the data is broken, or larger than `most` bytes when unpacked */
export function unzstd(bytes: Buffer, most: number): Buffer {
  if (windowOf(bytes) > most) throw new RangeError("the window of this zstd frame is too large");
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

/** Memory that the frame asks for before it has unpacked anything (RFC 8878, 3.1.1.1). */
function windowOf(bytes: Buffer): number {
  const descriptor = bytes[4] ?? 0;
  const isSingle = (descriptor & 0x20) !== 0;
  if (!isSingle) {
    const window = bytes[5] ?? 0;
    const base = 2 ** (10 + (window >> 3));
    return base + (base / 8) * (window & 7);
  }
  const at = 5 + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  switch (descriptor >> 6) {
    case 0:
      return bytes[at] ?? 0;
    case 1:
      return bytes.length < at + 2 ? 0 : bytes.readUInt16LE(at) + 256;
    case 2:
      return bytes.length < at + 4 ? 0 : bytes.readUInt32LE(at);
    default:
      return bytes.length < at + 8 ? 0 : Number(bytes.readBigUInt64LE(at));
  }
}
