import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { formatByName } from "../../../src/entries/host.ts";
import {
  AGGRESSIVE_SHAKE_CONFIG,
  applyLedger,
  applyShakeRegions,
  collectShakeRegions,
} from "../../../src/entries/messages.ts";
import { decodedMessages } from "../../../src/formats/decoded.ts";
import { exportLedger, restoreMessages } from "../../../src/index.ts";
import { render, scripts } from "../../generate.ts";
import { type Item, KINDS, type Kind, writeMessages } from "./write-messages.ts";

const line = fc.constantFrom(
  ..."``` ~~~ ```ts <doc> </doc> </x:y>".split(" "),
  `<x:y a="1">`,
  "  const total = order.lines.reduce((sum, line) => sum + line.price, 0);",
  "größte 𝒳 emoji 👩‍🚀 naïve",
  "<system-reminder>be kind</system-reminder>",
  "",
);
const text = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\r\n")), { maxLength: 25 })
  .map((lines) => lines.flat().join(""));
const said = fc.tuple(fc.constantFrom("user" as const, "assistant" as const), text);
const call = fc.tuple(
  fc.constant("call" as const),
  fc.constantFrom("bash", "read", "skill"),
  fc.record({ path: text }),
  text,
);
const conversations: fc.Arbitrary<readonly Item[]> = fc.array(fc.oneof(said, call), { maxLength: 12 });
const config = { ...AGGRESSIVE_SHAKE_CONFIG, fenceMinTokens: 5 };
const codecOf = (kind: Kind) => (kind === "decoded" ? decodedMessages : formatByName(kind));

describe.each(KINDS)("any conversation in %s", (kind) => {
  it("regions are in order, apart, and all of them can be applied and taken back", () => {
    let taken = 0;
    fc.assert(
      fc.property(conversations, (items) => {
        const messages = writeMessages(kind, items);
        if (messages.length === 0) return;
        const options = kind === "decoded" ? {} : { format: kind };
        const regions = collectShakeRegions(messages, config, options);
        taken += regions.length;
        for (const [i, region] of regions.entries()) {
          const before = regions[i - 1];
          const place = [region.entry, region.blockIndex, region.start];
          if (before) expect(compare([before.entry, before.blockIndex, before.end], place)).toBeLessThan(0);
        }
        const shaken = applyShakeRegions(
          messages,
          regions.map((region) => ({ region })),
          options,
        );
        expect(shaken.issues).toEqual([]);
        expect(shaken.messages).toHaveLength(messages.length);
        expect(shaken.edits.length).toBe(regions.length);
        const saved = shaken.edits.map(({ edit }) => (edit.type === "undo" ? 0 : edit.saved));
        for (const each of saved) expect(each).toBeGreaterThan(0);
        const total = saved.reduce((sum, each) => sum + each, 0);
        const real = countTokens(messages, options) - countTokens(shaken.messages, options);
        expect(Math.abs(real - total)).toBeLessThanOrEqual(regions.length);
        if (regions.length > 0) expect(real).toBeGreaterThan(0);

        const ledger = JSON.parse(JSON.stringify(exportLedger(messages, shaken, shaken.edits)));
        const pruned = JSON.parse(JSON.stringify(shaken.messages));
        expect(JSON.stringify(restoreMessages(pruned, ledger))).toBe(JSON.stringify(messages));
        expect(applyLedger(codecOf(kind), messages, ledger.edits).messages).toEqual(shaken.messages);
        expect(collectShakeRegions(shaken.messages, config, options)).toEqual([]);
      }),
    );
    expect(taken).toBeGreaterThan(100);
  });
});

describe.each(["openai-chat", "anthropic-messages", "opencode"] as const)("any session in %s", (format) => {
  it.each(["none", "plain", "signed"] as const)(
    "with %s reasoning is as good a request as before",
    (reasoning) => {
      fc.assert(
        fc.property(scripts({ reasoning }), (script) => {
          const { messages } = render(script, format);
          const { validate } = formatByName(format);
          const regions = collectShakeRegions(messages, config, { format });
          const shaken = applyShakeRegions(
            messages,
            regions.map((region) => ({ region })),
            { format },
          );
          const rule = reasoning === "signed" ? "signed" : "none";
          expect(validate(shaken.messages, rule)).toEqual(validate(messages, rule));
          expect(shaken.issues).toEqual([]);
        }),
        { numRuns: 40 },
      );
    },
  );
});

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}

function countTokens(messages: readonly unknown[], options: object): number {
  return new MessageBench(messages, options).view.total;
}
