import type { Usage } from "../transcript/message.ts";

/** Usage from a host's figures; `undefined` if none is above zero, because the host then recorded nothing. */
export function toUsage(figures: { readonly [K in keyof Usage]: unknown }): Usage | undefined {
  const usage = {
    input: toCount(figures.input),
    cacheRead: toCount(figures.cacheRead),
    cacheWrite: toCount(figures.cacheWrite),
    output: toCount(figures.output),
  };
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output > 0 ? usage : undefined;
}

export function toCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}
