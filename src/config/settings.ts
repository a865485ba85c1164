import * as z from "zod";
import { configSchema } from "./schema.ts";

type Schema = z.core.$ZodType;
export type Path = readonly (string | number)[];

/** One key of the configuration: a group or a value. */
export interface Setting {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly description: string;
  /** Does it have keys of its own? */
  readonly group: boolean;
}

/** All keys in the order of the schema, a group before its keys. */
export function listSettings(
  schema: Schema = configSchema,
  path: readonly string[] = [],
): readonly Setting[] {
  return Object.entries(shapeOf(schema)).flatMap(([key, value]) => {
    if (key === "$schema") return [];
    const inner = listSettings(value, [...path, key]);
    const description = z.globalRegistry.get(value)?.description ?? "";
    const setting = { path: [...path, key], schema: peel(value), description, group: inner.length > 0 };
    return [setting, ...inner];
  });
}

/** The schema that a value at this path must meet; `undefined` for an unknown key. */
export function schemaAt(path: Path, from: Schema = configSchema): Schema | undefined {
  const [key, ...rest] = path;
  const schema = peel(from);
  if (key === undefined) return schema;
  if (schema instanceof z.ZodArray) return schemaAt(rest, schema.element);
  if (schema instanceof z.ZodUnion) {
    return schema.options.map((option) => schemaAt(path, option)).find((found) => found !== undefined);
  }
  const inner = shapeOf(schema)[key] ?? (schema instanceof z.ZodObject ? schema.def.catchall : undefined);
  return inner === undefined || inner instanceof z.ZodNever ? undefined : schemaAt(rest, inner);
}

/** The keys that an object at this path may have. */
export function keysAt(path: Path): readonly string[] {
  const schema = schemaAt(path);
  if (schema === undefined) return [];
  const options = schema instanceof z.ZodUnion ? schema.options : [schema];
  return options.flatMap((option) => Object.keys(shapeOf(option)));
}

/**
 * Describes the values that a schema accepts.
 *
 *   z.int().min(1).nullable()    ->  a whole number ≥ 1 or null
 *   z.enum(["off", "minimal"])   ->  "off" or "minimal"
 *   z.array(z.string())          ->  a list of strings
 */
export function describeSchema(schema: Schema): string {
  const words = describeAlternatives(schema);
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

function describeAlternatives(from: Schema): readonly string[] {
  const schema = peel(from);
  if (schema instanceof z.ZodBoolean) return ["true", "false"];
  if (schema instanceof z.ZodString) return ["a string"];
  if (schema instanceof z.ZodNumber) return [describeNumber(schema)];
  if (schema instanceof z.ZodLiteral) return [JSON.stringify(schema.value)];
  if (schema instanceof z.ZodEnum) return schema.options.map((option) => JSON.stringify(option));
  if (schema instanceof z.ZodNullable) return [...describeAlternatives(schema.unwrap()), "null"];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(describeAlternatives);
  if (schema instanceof z.ZodArray) {
    const element = peel(schema.element);
    return [`a list of ${element instanceof z.ZodString ? "strings" : describeSchema(element)}`];
  }
  return [`{ ${Object.keys(shapeOf(schema)).join(", ")} }`];
}

function describeNumber(schema: z.ZodNumber): string {
  const { minValue: least, maxValue: most } = schema;
  const noun = schema.isInt ? "a whole number" : "a number";
  const isBounded = most !== null && most < Number.MAX_SAFE_INTEGER;
  return isBounded ? `${noun} from ${least} to ${most}` : `${noun} ≥ ${least}`;
}

function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  const inner = peel(schema);
  return inner instanceof z.ZodObject ? inner.shape : {};
}

/** The schema without wrappers that make a value optional or transform it. */
function peel(schema: Schema): Schema {
  if (schema instanceof z.ZodExactOptional) return peel(schema.unwrap());
  if (schema instanceof z.ZodPipe) return peel(schema.in);
  return schema;
}
