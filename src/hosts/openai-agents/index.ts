export type { HostOptions } from "../conversation/host-options.ts";
export { type AgentsModel, type AgentsModelProvider, type Coppiced, coppice } from "./coppice.ts";
export type { AgentsSdkTool } from "./make-tools.ts";
