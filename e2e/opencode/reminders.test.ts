import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { as, bash, source, task, todo } from "./ask.ts";
import { type Recorded, textOf } from "./model.ts";
import { type Line, openStage, type Stage, WIRES } from "./stage.ts";

/* Reminders: due by the transcript alone, at the very end, never more than one, never stored. */

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({
    files: {
      "a.ts": source("a"),
      ".opencode/coppice.jsonc": `{ "tools": {
        "todoReminder": { "initialTurns": 3, "repeatTurns": 2, "stuckTaskTurns": 6 },
        "automataMode": { "initialTurns": 4 }
      } }`,
    },
  });
});

afterAll(() => stage.close());

/** Different steps without todos. */
const work = (count: number): readonly Line[] =>
  Array.from({ length: count }, (_, i) => ({ calls: [bash(`echo step ${i}`)] }));

const NOTE = "<system-reminder>";
const NOBODY = { role: "user" } as const;
const [, [, ANTHROPIC]] = WIRES;

/** The reminder of a request, which is at its very end or nowhere. */
function reminderOf(request: Recorded | undefined): string | undefined {
  const messages = request?.body.messages.slice(1) ?? [];
  const noted = messages.filter((message) => textOf(message).includes(NOTE));
  expect(noted.length).toBeLessThanOrEqual(1);
  if (noted.length === 0) return undefined;
  expect(noted[0]).toBe(messages.at(-1));
  return textOf(noted[0] ?? { role: "user" });
}

describe("the todo reminder", () => {
  it("comes after some steps without a todo write, then again, and names stuck tasks", async () => {
    const talk = await stage.talk();
    await talk.say("Work.", [
      { calls: [as("todo", todo(["Repair the build", "in_progress"], ["Write it down", "pending"]))] },
      ...work(8),
      { text: "Done." },
    ]);
    const reminders = talk.steps.map(reminderOf);
    const due = reminders.flatMap((text, i) => (text === undefined ? [] : [i]));
    expect(due).toEqual([4, 6, 8]);
    expect(reminders[4]).toContain("Repair the build (in progress)");
    expect(reminders[4]).not.toContain("In progress for long");
    expect(reminders[8]).toContain('In progress for long: "Repair the build"');
    expect(JSON.stringify(await talk.messages())).not.toContain(NOTE);
  });

  it("leaves no trace in the requests after it", async () => {
    const talk = await stage.talk();
    await talk.say("Work.", [{ calls: [todo(["One", "pending"])] }, ...work(5), { text: "Done." }]);
    for (const [i, request] of talk.steps.entries()) {
      const before = talk.steps[i - 1]?.body.messages ?? [];
      const kept = before.filter((message) => message.role === "system" || !textOf(message).includes(NOTE));
      expect(request.body.messages.slice(0, kept.length)).toEqual(kept);
    }
  });

  it("waits for the next turn if a user's text would cost signed reasoning, and is then one note", async () => {
    const talk = await stage.talk(undefined, ANTHROPIC);
    const list = todo(["Repair the build", "in_progress"], ["Write it down", "pending"]);
    await talk.say("Work as automata.", [{ calls: [list] }, ...work(8), { text: "Done." }]);
    expect(talk.steps.map(reminderOf).filter((text) => text !== undefined)).toEqual([]);
    await talk.say("Go on.", [{ text: "Going on." }]);
    const reminder = reminderOf(talk.steps.at(-1)) ?? "";
    expect(reminder.match(/<system-reminder>/g)).toHaveLength(1);
    for (const said of ["Open todos", 'In progress for long: "Repair the build"', "Automata mode"])
      expect(reminder).toContain(said);
    expect(JSON.stringify(await talk.messages())).not.toContain(NOTE);
    await talk.say("And now.", [{ text: "Now." }]);
    expect(reminderOf(talk.steps.at(-1)), "said once").toBeUndefined();
  });

  it.each(WIRES)(
    "does not come with a slash command but with the next request, over %s",
    async (_, model) => {
      const talk = await stage.talk(undefined, model);
      await talk.say("Work.", [{ calls: [todo(["One", "pending"])] }, ...work(1), { text: "Done." }]);
      await talk.say("More.", [{ text: "More." }]);
      await talk.command("coppice", "stats");
      expect(reminderOf(talk.steps.at(-1))).toBeUndefined();
      await talk.say("Go on.", [{ text: "Going on." }]);
      expect(reminderOf(talk.steps.at(-1))).toContain("Open todos");
    },
  );

  it.each(WIRES)("does not replace a person's text that looks like one, over %s", async (_, model) => {
    const talk = await stage.talk(undefined, model);
    const own = "<system-reminder>\nContext: my own words about automata.\n</system-reminder>";
    await talk.say(`${own} Keep that.`, [
      { calls: [todo(["One", "pending"])] },
      ...work(4),
      { text: "Done." },
    ]);
    await talk.say("Go on.", [{ text: "Going on." }]);
    for (const request of talk.steps) expect(textOf(request.body.messages[1] ?? NOBODY)).toContain(own);
    expect(JSON.stringify(await talk.messages())).toContain(JSON.stringify(own).slice(1, -1));
  });

  it.each(WIRES)("does not come in a subagent, over %s", async (_, model) => {
    const talk = await stage.talk(undefined, model);
    await talk.say("Delegate.", [
      { calls: [task(`Work. ${talk.tag}`)] },
      { calls: [todo(["One", "in_progress"])] },
      ...work(6),
      { text: "The subagent is done." },
      { text: "Done." },
    ]);
    expect(talk.steps.map(reminderOf).filter((text) => text !== undefined)).toEqual([]);
  });
});

describe("automata mode", () => {
  it("asks to reflect, once the word was used", async () => {
    const talk = await stage.talk();
    await talk.say("Work without it.", [...work(3), { text: "Done." }]);
    await talk.say("Now as automata.", [...work(6), { text: "Done." }]);
    const asked = talk.steps
      .map(reminderOf)
      .flatMap((text, i) => (text?.includes("Automata mode") ? [i] : []));
    expect(asked).toEqual([8]);
  });
});
