export { type ClientId, type Headers, isOwnQuestion, readIds } from "./client-ids.ts";
export { findWire, listWires } from "./find-wire.ts";
export type { Answer, AnswerReader, MessagesPlace, Wire, WireName, WireRequest } from "./wire.ts";
