import type { Media } from "../transcript/part.ts";
import type { Mutable } from "./blocks.ts";

/** Describes the file of a url, a data url or base64 data. `mime` is for data that does not name its own. */
export function describeMedia(data: string, mime: string, name?: unknown): Media {
  const media: Mutable<Media> = { mime };
  if (typeof name === "string") media.name = name;
  const comma = data.startsWith("data:") ? data.indexOf(",") : -1;
  if (comma > 0) {
    const head = data.slice(5, comma).split(";");
    if (head[0]) media.mime = head[0];
    media.bytes = head.includes("base64") ? countBase64Bytes(data, comma + 1) : data.length - comma - 1;
  }
  return media;
}

export function countBase64Bytes(data: string, from: number): number {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return Math.max(0, Math.floor(((data.length - from) * 3) / 4) - padding);
}
