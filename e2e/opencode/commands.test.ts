import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { as, bash, prune, read, refOf, resultOf, source } from "./ask.ts";
import { textOf } from "./model.ts";
import { openStage, type Stage, type Talk, WIRES } from "./stage.ts";

/* The slash commands: their output stays with the person, their changes are part of the session. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({
    files: {
      "a.ts": source("a"),
      "b.ts": source("b"),
      ".opencode/coppice.jsonc": `{ "pruneNotification": "detailed" }`,
    },
  });
});

afterAll(() => stage.close());

async function openTalk(model: string): Promise<Talk> {
  const talk = await stage.talk(undefined, model);
  await talk.say("Read.", [
    { calls: [as("a", read("a.ts"))] },
    { calls: [as("b", read("b.ts"))] },
    { calls: [as("long", bash("seq 1 3000"))] },
    (request) => ({ calls: [as("cut", prune("discard", [[refOf(request, "a")]]))] }),
    { text: "Read." },
  ]);
  return talk;
}

describe.each(WIRES)("over %s", (_, model) => {
  describe.each(["coppice", "acp"])("/%s", (name) => {
    it("shows what was done, to the person alone", async () => {
      const talk = await openTalk(model);
      const shown = await talk.command(name, "");
      expect(shown).toMatch(/^Coppice \d+\.\d+\.\d+\n/);
      expect(shown).toContain("This session");
      expect(shown).toContain("In total");
      expect(shown).toMatch(/discard: 1 cut/);
      expect(shown).toContain("Protected tools: context_info, task, todowrite");
      const sent = talk.steps.at(-1)?.body.messages ?? [];
      expect(sent.map(textOf).join("\n")).not.toContain("Protected tools");
      const texts = sent.flatMap((message) => textOf(message).split("\n<system-reminder>"));
      const line = texts.findLast((text) => !/^<system-reminder>|<\/system-reminder>$/.test(text));
      expect(line).toMatch(/^\[The user ran .* Reply with just: ok\]$/);
    });
  });

  describe("/coppice", () => {
    it("context: how full the context is", async () => {
      expect(await (await openTalk(model)).command("coppice", "context")).toMatch(
        /Context: [\d,]+ of [\d,]+ tokens/,
      );
    });

    it("explain: what happened to a text", async () => {
      const talk = await openTalk(model);
      const cut = /[0-9a-f]{6}(?=\])/.exec(resultOf(talk.steps.at(-1), "a"))?.[0] ?? "";
      expect(await talk.command("coppice", `explain ${cut}`)).toMatch(
        /read .*a\.ts.*cut at step \d+ by agent/s,
      );
      expect(await talk.command("coppice", `explain ${refOf(talk.steps.at(-1), "b")}`)).toContain(
        "it is whole",
      );
      expect(await talk.command("coppice", "explain nonsense")).toContain("not a ref");
    });

    it("anything else: the available commands", async () => {
      expect(await (await openTalk(model)).command("coppice", "help")).toContain(
        "/coppice restore <ref|all>",
      );
    });

    it("off: messages are sent unchanged; on: cut as before", async () => {
      const talk = await openTalk(model);
      expect(await talk.command("coppice", "off")).toContain("off");
      expect(resultOf(talk.steps.at(-1), "a")).toContain("value 59 of a");
      await talk.say("Again.", [{ calls: [as("b2", read("b.ts"))] }, { text: "Read." }]);
      expect(resultOf(talk.steps.at(-1), "b2")).not.toContain("_hash>");
      await talk.command("coppice", "on");
      expect(resultOf(talk.steps.at(-1), "a")).not.toContain("value 59 of a");
    });

    it("off ends with the undo of its message", async () => {
      const talk = await openTalk(model);
      await talk.command("coppice", "off");
      const off = (await talk.messages()).findLast(({ info }) => info.role === "user");
      await stage.server.revert(talk.session, off?.info.id ?? "");
      await talk.say("And now?", [{ text: "Now." }]);
      expect(resultOf(talk.steps.at(-1), "a")).not.toContain("value 59 of a");
    });

    it("shadow: nothing is changed from then on", async () => {
      const talk = await openTalk(model);
      await talk.command("coppice", "shadow");
      expect(resultOf(talk.steps.at(-1), "a")).toContain("value 59 of a");
    });

    it("restore: one cut, or all", async () => {
      const talk = await openTalk(model);
      const cut = /[0-9a-f]{6}(?=\])/.exec(resultOf(talk.steps.at(-1), "a"))?.[0] ?? "";
      expect(await talk.command("coppice", `restore ${cut}`)).toContain(cut);
      expect(resultOf(talk.steps.at(-1), "a")).toContain("value 59 of a");
      const other = await openTalk(model);
      await other.command("coppice", "restore all");
      expect(resultOf(other.steps.at(-1), "a")).toContain("value 59 of a");
    });

    it("shake: everything disposable is cut at once", async () => {
      const talk = await openTalk(model);
      await talk.command("coppice", "shake aggressive");
      expect(resultOf(talk.steps.at(-1), "long").length).toBeLessThan(4_000);
    });
  });

  describe("notices", () => {
    it("are toasts with the cuts, and no messages", async () => {
      const talk = await openTalk(model);
      // A toast comes through the server's events, maybe after the answer.
      const notice = () => stage.toasts.findLast(({ variant }) => variant === "info")?.message;
      await expect.poll(notice).toMatch(/^「 ⚙️ 1\([\d.]+K?\) ▼ 」\n→ [0-9a-f]{6} /);
      expect(JSON.stringify(await talk.messages())).not.toContain("▼");
    });
  });
});

it("/coppice is known after a restart, before any other request", async () => {
  const talk = await openTalk("m");
  await stage.restart();
  expect(await talk.command("coppice", "stats")).toMatch(/discard: 1 cut/);
});
