import { createToolKinds } from "../../src/entries/passes.ts";
import { createPruner } from "../../src/index.ts";
import { Conversation } from "../conversation.ts";
import type { Case } from "./measure.ts";
import { age, EAGER } from "./session.ts";
import { SMALL_TEXT_SIZES } from "./sizes.ts";
import { hostileTexts } from "./texts.ts";
import { toolInputs } from "./tool-inputs.ts";

/** Inputs that models write into calls. */
export function inputCases(): readonly Case[] {
  const kinds = createToolKinds();
  const described = toolInputs.flatMap(([tool, field, make]) =>
    hostileTexts.map(
      ({ name, of }): Case => ({
        name: `describe, ${tool} ${field}, ${name}`,
        sizes: SMALL_TEXT_SIZES,
        prepare: (size) => {
          const input = make(of(size));
          return () => kinds.describe(tool, input, { directory: "/work" });
        },
      }),
    ),
  );
  const pruned = hostileTexts.map(
    ({ name, of }): Case => ({
      name: `prune, inputs of all tools, ${name}`,
      sizes: SMALL_TEXT_SIZES,
      prepare: (size) => {
        const conversation = new Conversation();
        const share = of(Math.ceil(size / 8));
        for (const [tool, , make] of toolInputs) conversation.call(tool, make(share), "Done, as asked for.");
        const { messages, meta } = age(conversation);
        return () => createPruner(EAGER).prune(messages, { meta, model: "claude-sonnet-4-5" });
      },
    }),
  );
  return [...described, ...pruned];
}
