import { maskLabel } from "../../redaction/mask-label.ts";
import type { FileReference } from "./file-tracker.ts";
import { countLines, takeFirst } from "./file-tracker.ts";

/** The data in a placeholder about the result that it replaces. */
export interface Truncated {
  readonly path: string | undefined;
  /** In steps. */
  readonly age: number;
  readonly tokens: number;
}

/**
 * `[Content truncated - file: src/a.ts - 12 steps ago - 840 tokens]`, with a ref at its end if it can be recalled.
 */
export function renderPlaceholder({ path, age, tokens }: Truncated, ref?: string): string {
  const file = path === undefined ? "" : ` - file: ${path}`;
  const recall = ref === undefined ? "" : ` · ${ref}`;
  return `[Content truncated${file} - ${age} steps ago - ${tokens} tokens${recall}]`;
}

export interface TruncatedFile {
  readonly path: string;
  /** Of the result. */
  readonly text: string;
  readonly file: FileReference | undefined;
  readonly age: number;
}

const PREVIEW_CHARACTERS = 100;

/** The longer form for files: the number of lines, their beginning, and how to read the file again. */
export function renderFilePlaceholder({ path, text, file, age }: TruncatedFile, currentStep: number): string {
  const accessed = file ? Math.max(0, currentStep - file.lastAccessStep) : age;
  return [
    `[File: ${path}`,
    `Lines: ${countLines(text)}`,
    `Last accessed: ${accessed} steps ago`,
    `Modified: ${file?.wasModified ? "yes" : "no"}`,
    `Preview: ${takeFirst(maskLabel(takeFirst(text, 4 * PREVIEW_CHARACTERS)), PREVIEW_CHARACTERS)}...`,
    "Use read_file to retrieve current content]",
  ].join("\n");
}
