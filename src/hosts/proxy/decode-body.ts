import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { unzstd } from "./unzstd.ts";

const DECODERS: Readonly<
  Record<string, (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: async (bytes, { maxOutputLength }) => unzstd(bytes, maxOutputLength),
};

/**
 * The text of a body; `undefined` where it can't be read: an unknown encoding, broken, larger than `most` bytes when
 * unpacked, or no UTF-8, which would not come out as it went in.
 */
export async function decodeBody(
  bytes: Buffer,
  encoding: string | undefined,
  most: number,
): Promise<string | undefined> {
  try {
    const plain = isPlain(encoding) ? bytes : await unpack(bytes, encoding, most);
    return plain && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain);
  } catch {
    return undefined;
  }
}

function isPlain(encoding: string | undefined): encoding is undefined | "" | "identity" {
  return encoding === undefined || encoding === "" || encoding.trim().toLowerCase() === "identity";
}

async function unpack(bytes: Buffer, encoding: string, most: number): Promise<Buffer | undefined> {
  const name = encoding.trim().toLowerCase();
  return Object.hasOwn(DECODERS, name) ? DECODERS[name]?.(bytes, { maxOutputLength: most }) : undefined;
}
