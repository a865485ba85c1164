import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Client } from "../clients/client.ts";
import { createWorkplace, type Workplace } from "../clients/project.ts";
import { work } from "../clients/work.ts";
import { type Provider, type Script, startProvider } from "../provider/provider.ts";

export interface Prepared {
  readonly place: Workplace;
  readonly provider: Provider;
  /** A file below the home folder. */
  write(path: string, value: unknown): void;
}

/** A place to work, and a model that works there; both end with the test. */
export async function prepare(client: Client, script?: Script): Promise<Prepared> {
  const place = createWorkplace();
  const provider = await startProvider(script ?? work({ tools: client.tools, cwd: place.cwd }));
  onTestFinished(async () => {
    await provider.close();
    place.dispose();
  });
  return {
    place,
    provider,
    write(path, value) {
      mkdirSync(dirname(join(place.home, path)), { recursive: true });
      writeFileSync(join(place.home, path), typeof value === "string" ? value : JSON.stringify(value));
    },
  };
}
