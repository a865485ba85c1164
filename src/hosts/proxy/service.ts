import type { IncomingMessage, ServerResponse } from "node:http";
import type { Watcher } from "./watcher.ts";

/** A page of the proxy's own. */
export interface OwnPage {
  readonly methods: readonly string[];
  /** A complete path, or a prefix that ends with `/`. */
  readonly path: string;
  /** Is it available to anyone, without a token? */
  readonly isOpen?: boolean;
  /** @param path without the token, with the query */
  handle(incoming: IncomingMessage, outgoing: ServerResponse, path: string): void | Promise<void>;
}

/** A service of the proxy in addition to passing requests on. */
export interface Service extends Watcher {
  readonly pages?: readonly OwnPage[];
  close?(): void | Promise<void>;
}

export function findPage(pages: readonly OwnPage[], path: string): OwnPage | undefined {
  const bare = path.split(/[?#]/, 1)[0] ?? "";
  return pages.find((page) =>
    page.path.endsWith("/") && page.path !== "/" ? bare.startsWith(page.path) : bare === page.path,
  );
}
