import * as z from "zod";
import type { Flag, NumberSetting } from "../strategies/pass-setting.ts";
import { FLAGS, NUMBER_SETTINGS } from "../strategies/passes.ts";
import type { AggressiveFlags, PassOptions } from "./pass-options.ts";

type Shape<T> = { readonly [K in keyof T]-?: z.ZodType<T[K] | undefined> };

/** The numbers that passes own in one group of the configuration, by name. */
export function listNumbers(group: string): readonly (readonly [name: string, setting: NumberSetting])[] {
  return NUMBER_SETTINGS.flatMap((setting) => {
    const dot = setting.key.lastIndexOf(".");
    return setting.key.slice(0, dot) === group ? [[setting.key.slice(dot + 1), setting] as const] : [];
  });
}

// The types are generated from the same list, so the casts below hold.

export function passDefaults<K extends keyof PassOptions>(group: K): PassOptions[K] {
  const entries = listNumbers(group).map(([name, setting]) => [name, setting.default]);
  return Object.fromEntries(entries) as PassOptions[K];
}

export function passShape<K extends keyof PassOptions>(group: K): Shape<Partial<PassOptions[K]>> {
  const entries = listNumbers(group).map(([name, { description, least = 0, nullable }]) => {
    const count = z.int().min(least);
    return [name, (nullable ? count.nullable() : count).exactOptional().describe(description)];
  });
  return Object.fromEntries(entries) as Shape<Partial<PassOptions[K]>>;
}

export const FLAG_SHAPE: Shape<Partial<AggressiveFlags>> = Object.fromEntries(
  FLAGS.map((flag) => [flag.key, flagSchema(flag)]),
) as unknown as Shape<Partial<AggressiveFlags>>;

function flagSchema({ description, values = [] }: Flag): z.ZodType {
  const schema =
    values.length === 0 ? z.boolean() : z.union([z.boolean(), ...values.map((value) => z.literal(value))]);
  return schema.exactOptional().describe(description);
}
