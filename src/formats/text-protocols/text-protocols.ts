import { cline } from "./cline.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { openHands } from "./openhands.ts";
import { makeProtocol, type OwnProtocol } from "./own-protocol.ts";
import { sweAgent } from "./swe-agent.ts";
import type { TextProtocol } from "./text-protocol.ts";

/** Recognised by their own delimiters. */
export const TEXT_PROTOCOLS: readonly TextProtocol[] = [miniSweAgent, sweAgent, cline, openHands];

/** The user's own come first. */
export function textProtocolsWith(own: readonly OwnProtocol[]): readonly TextProtocol[] {
  return own.length === 0 ? TEXT_PROTOCOLS : [...own.map(makeProtocol), ...TEXT_PROTOCOLS];
}
