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
 * The text of a body. `undefined` if it has an unknown encoding, is broken, is larger than `most` bytes when
 * unpacked, or is not UTF-8, which would change on the way.
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
