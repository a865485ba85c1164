/**
 * Writes the sample session: plays the script in `samples/session/` over a copy of `samples/discount-service/`.
 *
 *   node scripts/make-sample.mjs [file]
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { playSession } from "../samples/session/play.mjs";

const file = process.argv[2] ?? fileURLToPath(new URL("../samples/discount-service.jsonl", import.meta.url));
const { text, tokens } = playSession();
writeFileSync(file, text);
console.log(
  `${file}: ${text.split("\n").length - 1} lines, ${Buffer.byteLength(text)} bytes, about ${tokens} tokens`,
);
