import type { IncomingMessage, ServerResponse } from "node:http";
import type { Watcher } from "./watcher.ts";

/** A page of the proxy's own. */
export interface OwnPage {
  readonly methods: readonly string[];
  /** Whole, or with `/` at its end for all that begins with it. */
  readonly path: string;
  /** May anybody ask for it, without a token? */
  readonly isOpen?: boolean;
  /** @param path without a token, with the query */
  handle(incoming: IncomingMessage, outgoing: ServerResponse, path: string): void | Promise<void>;
}

/** Something that the proxy does beside passing requests on. */
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
