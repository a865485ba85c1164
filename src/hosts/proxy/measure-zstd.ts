/** The resources that unpacking needs. */
export interface ZstdMeasure {
  /** The largest window of any frame, in bytes: memory that is allocated before anything is unpacked. */
  readonly window: number;
  /** Bytes of windows, added up over all blocks. */
  readonly moved: number;
}

const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;

/**
 * Reads the frames and blocks of zstd data without unpacking anything (RFC 8878, 3.1). Several frames may follow
 * one another, each with its own window.
 *
 * @throws if the data is broken or incomplete
 */
export function measureZstd(bytes: Buffer): ZstdMeasure {
  let [at, largest, moved] = [0, 0, 0];
  while (at < bytes.length) {
    const magic = bytes.readUInt32LE(at);
    if ((magic & 0xfffffff0) >>> 0 === SKIPPABLE) {
      at += 8 + bytes.readUInt32LE(at + 4);
      continue;
    }
    if (magic !== MAGIC) throw new RangeError("not zstd data");
    const { window, first, hasChecksum } = readHead(bytes, at + 4);
    const { end, count } = passBlocks(bytes, first);
    largest = Math.max(largest, window);
    moved += window * count;
    at = end + (hasChecksum ? 4 : 0);
  }
  return { window: largest, moved };
}

/** The header of a frame after its magic number; `first` is the start of its blocks. */
function readHead(bytes: Buffer, from: number) {
  const flags = bytes.readUInt8(from);
  const isSingle = (flags & 0x20) !== 0;
  const size = from + (isSingle ? 1 : 2) + (DICTIONARY_BYTES[flags & 3] ?? 0);
  const sizeBytes = flags >> 6 === 0 ? (isSingle ? 1 : 0) : 2 ** (flags >> 6);
  const window = isSingle ? readSize(bytes, size, sizeBytes) : readWindow(bytes.readUInt8(from + 1));
  return { window, first: size + sizeBytes, hasChecksum: (flags & 4) !== 0 };
}

const DICTIONARY_BYTES = [0, 1, 2, 4];

function readWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}

function readSize(bytes: Buffer, at: number, length: number): number {
  if (length === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}

function passBlocks(bytes: Buffer, first: number): { readonly end: number; readonly count: number } {
  let at = first;
  for (let count = 1; ; count++) {
    const head = bytes.readUIntLE(at, 3);
    const isRepeated = ((head >> 1) & 3) === 1;
    at += 3 + (isRepeated ? 1 : head >> 3);
    if ((head & 1) === 1) return { end: at, count };
  }
}
