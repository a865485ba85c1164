export type { HostOptions } from "../conversation/host-options.ts";
export { type CoppiceAiSdk, coppice } from "./coppice.ts";
export type { CallParams, Middleware } from "./middleware.ts";
export type { ContextTool, ContextTools, ToolSchema } from "./tools.ts";
