export type { HostOptions } from "../conversation/host-options.ts";
export { type CoppiceAiSdk, coppice } from "./coppice.ts";
export type { Middleware } from "./middleware.ts";
export type { CallParams } from "./read-call.ts";
export type { AiSdkTool, ContextTools, ToolSchema } from "./tools.ts";
