import { formatByName } from "../../src/formats/detect.ts";
import { decodeMessage, opensTurn } from "../../src/formats/intake/decode.ts";
import { Transcript } from "../../src/transcript/transcript.ts";
import type { Session } from "../generate.ts";

export function transcriptOf(session: Session): Transcript {
  const transcript = new Transcript();
  const format = formatByName(session.format);
  for (const [i, message] of session.messages.entries()) {
    const decoded = decodeMessage(format, message, session.meta[i]);
    transcript.append(decoded.parts, i, opensTurn(decoded));
  }
  return transcript;
}
