import { skipString } from "./skip-string.ts";

/**
 * JSON with more levels or more values than this is not read: an agent's request has about ten levels and some
 * thousand values.
 */
const MOST_LEVELS = 1_000;
const MOST_VALUES = 250_000;

/**
 * Would this JSON take so long to read that everything else has to wait? It is not parsed: only brackets and commas
 * are counted, up to the limit.
 *
 *   {"input":{"path":"a.ts"}}   ->   false
 *   [[[[[[…]]]]]]               ->   true
 */
export function isHeavyJson(json: string): boolean {
  if (json.length <= MOST_LEVELS) return false;
  let levels = 0;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = skipString(json, at) - 1;
        break;
      case LIST:
      case OBJECT:
        if (++levels > MOST_LEVELS || ++values > MOST_VALUES) return true;
        break;
      case LIST_END:
      case OBJECT_END:
        levels--;
        break;
      case COMMA:
        if (++values > MOST_VALUES) return true;
        break;
    }
  }
  return false;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
