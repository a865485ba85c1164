export type { HostOptions } from "../conversation/host-options.ts";
export { type CoppiceFetch, coppiceFetch, type Fetch, type FetchOptions } from "./coppice-fetch.ts";
