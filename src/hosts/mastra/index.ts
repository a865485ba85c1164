export type { ToolSchema } from "../ai-sdk/tools.ts";
export type { HostOptions } from "../conversation/host-options.ts";
export { coppice } from "./coppice.ts";
export type { CoppiceProcessor, LlmRequest, LlmResponse, StepInput } from "./processor.ts";
export type { MastraTool, MastraTools } from "./tools.ts";
