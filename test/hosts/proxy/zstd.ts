/** A zstd frame (RFC 8878) whose blocks contain the bytes unchanged. */
export function packZstd(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length || blocks.length === 0; at += BLOCK) {
    const part = bytes.subarray(at, at + BLOCK);
    blocks.push(block("raw", part.length, at + BLOCK >= bytes.length), part);
  }
  return Buffer.concat([frameHead(0x50), ...blocks]);
}

/** A few bytes that unpack to `count` times 128 kB of zeros. */
export function zstdBomb(count: number): Buffer {
  const blocks = Array.from({ length: count }, (_, i) =>
    Buffer.concat([block("repeated", BLOCK, i === count - 1), Buffer.from([0])]),
  );
  return Buffer.concat([frameHead(0x50), ...blocks]);
}

/** A frame that asks for a window of 2 GB, and is empty. */
export const HUGE_WINDOW: Buffer = Buffer.concat([frameHead(0xa8), block("raw", 0, true)]);

/** A skippable frame: no data, but before data. */
export const SKIPPABLE: Buffer = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

/** Many blocks of one byte in a window of 1 MB: each of them moves the window on. */
export function zstdGrinder(count: number): Buffer {
  const blocks = Array.from({ length: count }, (_, i) =>
    Buffer.concat([block("raw", 1, i === count - 1), Buffer.from(" ")]),
  );
  return Buffer.concat([frameHead(0x50), ...blocks]);
}

const BLOCK = 131_072;

function frameHead(window: number): Buffer {
  return Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, window]);
}

function block(type: "raw" | "repeated", size: number, isLast: boolean): Buffer {
  const head = Buffer.alloc(3);
  head.writeUIntLE((size << 3) | ((type === "raw" ? 0 : 1) << 1) | (isLast ? 1 : 0), 0, 3);
  return head;
}
