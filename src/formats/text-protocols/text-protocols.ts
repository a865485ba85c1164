import { cline } from "./cline.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { openHands } from "./openhands.ts";
import { makeProtocol, type OwnProtocol } from "./own-protocol.ts";
import { sweAgent } from "./swe-agent.ts";
import type { TextProtocol } from "./text-protocol.ts";

/** Known by their own marks. */
export const TEXT_PROTOCOLS: readonly TextProtocol[] = [miniSweAgent, sweAgent, cline, openHands];

/** A user's come first. */
export function textProtocolsWith(own: readonly OwnProtocol[]): readonly TextProtocol[] {
  return own.length === 0 ? TEXT_PROTOCOLS : [...own.map(makeProtocol), ...TEXT_PROTOCOLS];
}
