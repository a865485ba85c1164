import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { createOpenCode } from "./harness.ts";
import { startModel } from "./model.ts";
import { NOTE } from "./note-plugin.ts";

it("a note reaches the model as the last message, in a tool loop too, and is gone from the next request", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-note-"));
  const plugin = join(folder, "plugin.mjs");
  await build({
    entryPoints: [fileURLToPath(new URL("note-plugin.ts", import.meta.url))],
    bundle: true,
    platform: "node",
    format: "esm",
    mainFields: ["module", "main"],
    outfile: plugin,
    logLevel: "error",
  });
  const model = await startModel((_, n) =>
    n === 0
      ? { calls: [{ name: "bash", input: { command: "echo hi", description: "says hi" } }] }
      : { text: "Done." },
  );
  const host = createOpenCode({ baseURL: model.baseURL, plugins: [plugin] });
  try {
    await host.run("go");
    await host.run("and", { continue: true });
    const roles = model.steps.map(({ body }) => body.messages.slice(1).map(({ role }) => role));
    expect(roles).toEqual([
      ["user", "user"],
      ["user", "assistant", "tool", "user"],
      ["user", "assistant", "tool", "assistant", "user", "user"],
    ]);
    for (const { body } of model.steps) {
      const notes = body.messages
        .slice(1)
        .filter(({ content }) => JSON.stringify(content)?.includes("system-reminder"));
      expect(notes.map(({ content }) => content)).toEqual([NOTE]);
      expect(body.messages.at(-1)?.content).toBe(NOTE);
    }
    expect(model.errors).toEqual([]);
  } finally {
    await host.dispose();
    await model.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
