export type { HostOptions } from "../conversation/host-options.ts";
export { type CoppiceMiddleware, coppice, type LangChainOptions } from "./coppice.ts";
