import type { CutPlan } from "../edits/cut-plan.ts";
import type { FilePart, Media } from "../transcript/part.ts";
import type { BuiltIn } from "./built-in.ts";
import { onIn } from "./pass-setting.ts";

/**
 * Replaces a user's old attachment with its name, type and size: see `Delta.agedPrompts`. Pictures in a tool's
 * result do not count as attachments.
 *
 *   shot.png, a picture of 48,211 bytes   ->  [file: shot.png, image/png, 48 kB]
 *   a picture behind a url                ->  [file: image/png]
 */
export const oldFiles: BuiltIn = {
  name: "old-files",
  mechanism: "attachment",
  flag: {
    key: "pruneFiles",
    description: "File and image attachments older than `pruneProtect` become `[file: name, type, size]`.",
    presets: onIn("compact", "balanced"),
  },
  propose: (step, { transcript }) =>
    step.agedPrompts.flatMap((index) => {
      const part = transcript.part(index);
      return part.kind === "file" ? proposeName(index, part) : [];
    }),
};

function proposeName(part: number, { leaves, media }: FilePart): readonly CutPlan[] {
  return leaves.map(({ id, text }) => ({
    part,
    spans: [{ leaf: id, from: 0, to: text.length, render: () => `[file: ${describeMedia(media)}]` }],
    reason: "an old attachment",
  }));
}

function describeMedia({ name, mime, bytes }: Media): string {
  return [name ?? [], mime, bytes === undefined ? [] : formatSize(bytes)].flat().join(", ");
}

function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
