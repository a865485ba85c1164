import type { Case } from "./measure.ts";
import { hostileTexts } from "./texts.ts";

/** Functions that take a text, by name. */
export type TextFunctions = readonly (readonly [name: string, run: (text: string) => unknown])[];

/** Every function with every text. */
export function textCases(functions: TextFunctions, sizes: readonly number[]): readonly Case[] {
  return functions.flatMap(([what, run]) =>
    hostileTexts.map(
      ({ name, of }): Case => ({
        name: `${what}, ${name}`,
        sizes,
        prepare: (size) => {
          const text = of(size);
          return () => run(text);
        },
      }),
    ),
  );
}
