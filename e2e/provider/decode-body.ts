import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { decompress } from "fzstd";

export function decodeBody(bytes: Buffer, encoding: string | undefined): string {
  switch (encoding) {
    case undefined:
      return bytes.toString("utf8");
    case "gzip":
      return gunzipSync(bytes).toString("utf8");
    case "br":
      return brotliDecompressSync(bytes).toString("utf8");
    case "zstd":
      return Buffer.from(decompress(bytes)).toString("utf8");
    default:
      throw new Error(`The body's encoding is ${encoding}.`);
  }
}
