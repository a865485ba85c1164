/**
 * Tools of the host whose results no pass and no agent may cut. While `skill` is on the list, reads of skill files are
 * protected too.
 */
export const PROTECTED_TOOLS: readonly string[] = [
  "context_info",
  "task",
  "todowrite",
  "todoread",
  "context_prune",
  "batch",
  "write",
  "edit",
  "plan_enter",
  "plan_exit",
  "skill",
];

/** Globs; one without a slash matches the file's name, in any folder. */
export const PROTECTED_FILES: readonly string[] = [
  ".env",
  ".env.*",
  "credentials.json",
  "secrets.json",
  "*.pem",
  "*.key",
  "package.json",
  "tsconfig.json",
  "pyproject.toml",
  "Cargo.toml",
];
