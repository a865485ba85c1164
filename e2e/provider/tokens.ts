import { Tokenizer } from "ai-tokenizer";
import * as vocabulary from "ai-tokenizer/encoding/o200k_base";

const tokenizer = new Tokenizer(vocabulary);
const MOST_REMEMBERED = 20_000;
/** An agent sends the same texts again with every request. */
const remembered = new Map<string, Uint32Array>();

/** The tokens of a text. All providers here have the same vocabulary. */
export function tokensOf(text: string): Uint32Array {
  let tokens = remembered.get(text);
  if (!tokens) {
    tokens = Uint32Array.from(tokenizer.encode(text, "all"));
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(text, tokens);
  }
  return tokens;
}
