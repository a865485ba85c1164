import { memoryStore } from "../../src/stores/memory-store.ts";
import type { Store } from "../../src/stores/store.ts";

/** A store that lists the keys of the requests it received. */
export function watchedStore(): { readonly store: Store; readonly keys: readonly string[] } {
  const store = memoryStore();
  const keys: string[] = [];
  const writeRequest: Store["writeRequest"] = (row) => {
    keys.push(row.key);
    return store.writeRequest(row);
  };
  return { store: { ...store, writeRequest }, keys };
}
