import { describeError } from "../basics/issue.ts";

/** A database's driver: an optional package, loaded on demand. */
export async function loadDriver<T>(
  database: string,
  driver: string,
  load: () => Promise<{ readonly default: T }>,
): Promise<T> {
  try {
    return (await load()).default;
  } catch (cause) {
    throw new Error(
      `${database} needs the package ${driver}: npm install ${driver} (${describeError(cause)})`,
      { cause },
    );
  }
}
