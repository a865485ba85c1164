import { formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import type { DecodedMessage } from "../../src/transcript/message.ts";

const done = new Set<FormatName>();

/**
 * A host may change its messages in place, so the engine takes each apart at every request. Recorded ones never change:
 * here each is taken apart once, for all requests and policies.
 */
export function takeApartOnce(name: FormatName): void {
  if (done.has(name)) return;
  done.add(name);
  const format = formatByName(name);
  const decode = format.decode.bind(format);
  const known = new WeakMap<object, DecodedMessage>();
  format.decode = (message) => {
    if (typeof message !== "object" || message === null) return decode(message);
    const decoded = known.get(message) ?? decode(message);
    known.set(message, decoded);
    return decoded;
  };
}
