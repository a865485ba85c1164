import { createInterface } from "node:readline/promises";
import { Failure } from "../failure.ts";

/** Questions to a person at a terminal. */
export interface Questions {
  /** @throws if the person ends the input instead of answering */
  ask(text: string): Promise<string>;
  /** Enter alone means yes. */
  confirm(text: string): Promise<boolean>;
  close(): void;
}

export function openQuestions(): Questions {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const left = new Promise<never>((_, fail) =>
    lines.once("close", () => fail(new Failure("Nothing was changed."))),
  );
  left.catch(() => {});
  const ask = async (text: string): Promise<string> =>
    (await Promise.race([lines.question(text), left])).trim();
  return {
    ask,
    confirm: async (text) => /^(?:y|yes|)$/i.test(await ask(`${text} [Y/n] `)),
    close: () => lines.close(),
  };
}
