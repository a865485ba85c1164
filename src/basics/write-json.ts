/**
 * The JSON of a value that was read from JSON, at any depth: `JSON.stringify` is recursive and throws at some
 * thousand levels.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return writeDeep(value);
  }
}

type Work = { readonly text: string } | { readonly value: unknown };

function writeDeep(root: unknown): string {
  let json = "";
  const work: Work[] = [{ value: root }];
  for (let next = work.pop(); next; next = work.pop()) {
    if ("text" in next) json += next.text;
    else if (typeof next.value !== "object" || next.value === null)
      json += JSON.stringify(next.value) ?? "null";
    else for (const piece of listPieces(next.value).reverse()) work.push(piece);
  }
  return json;
}

function listPieces(value: object): Work[] {
  if (Array.isArray(value)) {
    const items = value.flatMap((item, i): Work[] => [{ text: i > 0 ? "," : "" }, { value: item }]);
    return [{ text: "[" }, ...items, { text: "]" }];
  }
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .flatMap(([key, field], i): Work[] => [
      { text: `${i > 0 ? "," : ""}${JSON.stringify(key)}:` },
      { value: field },
    ]);
  return [{ text: "{" }, ...fields, { text: "}" }];
}
