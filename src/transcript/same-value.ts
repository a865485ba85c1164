import { isClosed, sameClosed } from "../basics/closed-object.ts";

/** This many pairs are compared before any are recorded: small values, nearly all of them, need no record. */
const FEW_ITEMS = 500;

/**
 * Deep equality of JSON-like values, of any depth; a cycle equals one that looks the same everywhere. An object
 * that is not JSON and hides its contents (a `Map`) equals only itself; dates are equal if their times are.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (isSame(a, b)) return true;
  if (!isObject(a) || !isObject(b)) return false;
  const open: object[] = [a, b];
  let compared: Map<object, object> | undefined;
  for (let count = 0; open.length > 0; count++) {
    const y = open.pop() as object;
    const x = open.pop() as object;
    if (count >= FEW_ITEMS) {
      compared ??= new Map();
      if (compared.get(x) === y) continue;
      compared.set(x, y);
    }
    if (!sameFields(x, y, open)) return false;
  }
  return true;
}

/** Compares the fields that are not objects; pairs of objects are pushed to `open` for later. */
function sameFields(x: object, y: object, open: object[]): boolean {
  if (Array.isArray(x) !== Array.isArray(y)) return false;
  let fields = 0;
  let hasFields = false;
  for (const key in x) {
    if (!(key in y)) return false;
    fields++;
    hasFields = true;
    const p: unknown = Reflect.get(x, key);
    const q: unknown = Reflect.get(y, key);
    if (isSame(p, q)) continue;
    if (!isObject(p) || !isObject(q)) return false;
    open.push(p, q);
  }
  for (const _ in y) fields--;
  if (hasFields || fields !== 0) return fields === 0;
  return isClosed(x) || isClosed(y) ? sameClosed(x, y) : true;
}

/** NaN equals NaN. */
function isSame(a: unknown, b: unknown): boolean {
  return a === b || Object.is(a, b);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
