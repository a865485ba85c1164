import { isRecord } from "../../src/basics/json.ts";

/** A value that a JSON schema allows, for requests with a schema. */
export function fillSchema(schema: unknown, text: string): unknown {
  if (!isRecord(schema)) return text;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (String(schema.type).toLowerCase()) {
    case "object":
      return Object.fromEntries(
        Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, inner]) => [
          name,
          fillSchema(inner, text),
        ]),
      );
    case "array":
      return [];
    case "number":
      return schema.minimum ?? 0;
    case "integer":
      return schema.minimum ?? 1;
    case "boolean":
      return false;
    default:
      return text;
  }
}
