import { resolve } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countOf, formatNumber } from "../../src/basics/numbers.ts";
import type { ReportData } from "../../src/page/data.ts";
import { buildReportData } from "../../src/page/report-data.ts";
import { readRecording } from "../../src/recordings/index.ts";
import {
  makeEmptySession,
  makeHostileSession,
  makeLongSession,
  makeSegments,
  makeSmallSession,
} from "./make-sessions.ts";
import { type OpenPage, PageBench } from "./open-page.ts";

let bench: PageBench;
let sample: ReportData;

beforeAll(async () => {
  bench = await PageBench.start();
  const read = await readRecording(resolve("samples/discount-service.jsonl"));
  if (!read.ok) throw new Error(read.issue.message);
  sample = buildReportData(read.value);
});
afterAll(() => bench?.stop());

/** Closes the page after the work, and checks that there were no problems. */
async function visit(
  data: ReportData,
  view: Parameters<PageBench["open"]>[1],
  work: (page: Page) => Promise<void>,
) {
  const opened: OpenPage = await bench.open(data, view);
  try {
    await work(opened.page);
    expect(opened.trouble).toEqual([]);
  } finally {
    await opened.page.close();
  }
}

const partAt = (page: Page, index: number) => page.locator(`[data-part="${index}"]`);
const activePart = (page: Page) =>
  page.evaluate<string | null>("document.activeElement.getAttribute('data-part')");

describe("what it shows", () => {
  test("the figures of the summary", async () => {
    await visit(sample, {}, async (page) => {
      const tiles = await page.getByRole("region", { name: "Summary" }).innerText();
      const sent = sample.requests.reduce((sum, { pruned }) => sum + pruned, 0);
      expect(tiles).toContain(formatNumber(sent));
      expect(tiles).toContain(`$${sample.bill.dollars?.with.toFixed(2)}`);
      expect(tiles).toContain(`$${sample.bill.dollars?.without.toFixed(2)} without pruning`);
      expect(tiles).toContain("Still there when needed");
      expect(tiles).toContain(`${sample.evidence.kept} of ${sample.evidence.counted}`);
      expect(tiles).toContain(`${sample.edits.filter(({ undone }) => !undone).length} edits`);
    });
  });

  test("charts whose lines match the figures", async () => {
    await visit(sample, {}, async (page) => {
      const { requests } = sample;
      for (const [name, values] of [
        ["line-raw", requests.map(({ raw }) => raw)],
        ["line-pruned", requests.map(({ pruned }) => pruned)],
        ["line-with", addUp(requests.map(({ dollars }) => dollars?.with ?? 0))],
        ["line-without", addUp(requests.map(({ dollars }) => dollars?.without ?? 0))],
      ] as const) {
        const path = (await page.locator(`.${name} path`).getAttribute("d")) ?? "";
        expectToDraw(readPoints(path), values);
      }
      const cuts = requests.flatMap(({ cut }, i) => (cut ? [i] : []));
      expect(await page.locator(".line-cuts circle").count()).toBe(cuts.length);
      expect(cuts.length).toBeGreaterThan(0);
    });
  });

  test("why the cache was lost, marked as inferred; empty if it never was", async () => {
    const losses = [{ cause: "a pause over an hour", count: 2, tokens: 90_000, dollars: 0.5 }] as const;
    const words = async (page: Page) => page.getByRole("region", { name: "Bill" }).innerText();
    const dollars = { ...(sample.bill.dollars ?? expect.fail("no price")), without: 10 };
    await visit({ ...sample, bill: { ...sample.bill, dollars, losses } }, {}, async (page) => {
      expect(await words(page)).toContain("cause (inferred)");
      expect(await words(page)).toMatch(/a pause over an hour 2 times, 90\.0K tokens\s+\$0\.50\s+5%/);
    });
    await visit({ ...sample, bill: { ...sample.bill, losses: [] } }, {}, async (page) => {
      expect(await words(page)).not.toContain("Why the cache was lost");
    });
  });

  test("the same figures as a table", async () => {
    await visit(sample, {}, async (page) => {
      await page.getByText("Figures", { exact: true }).click();
      const rows = await page
        .getByRole("region", { name: "Figures by request" })
        .locator("tbody tr")
        .allInnerTexts();
      expect(rows.map((row) => row.split("\t").slice(1, 4))).toEqual(
        sample.requests.map(({ raw, pruned, cached }) => [raw, pruned, cached].map(formatNumber)),
      );
    });
  });

  test("tokens by tool and by kind, with bars to scale", async () => {
    await visit(sample, {}, async (page) => {
      const table = page.locator(".panel", { hasText: "Tokens by tool and kind" });
      const [first, second] = sample.tokens.tools;
      const width = async (row: number) =>
        (await table.locator("tbody tr").nth(row).locator(".bar-left").boundingBox())?.width ?? 0;
      expect((await width(0)) / (await width(1))).toBeCloseTo(
        (first?.pruned ?? 0) / (second?.pruned ?? 1),
        1,
      );
      await table.getByRole("button", { name: "by kind" }).click();
      const rows = await table.locator("tbody tr").allInnerTexts();
      expect(rows.map((row) => row.split(/\s*\t\s*/))).toEqual(
        sample.tokens.kinds.map(({ name, parts, raw, pruned }) => [
          `${name} ${countOf(parts, "part")}`,
          formatNumber(raw),
          formatNumber(pruned),
        ]),
      );
    });
  });

  test("a tooltip at the pointer", async () => {
    await visit(sample, {}, async (page) => {
      const dot = page.locator(".line-cuts circle").first();
      await dot.hover({ force: true });
      const tip = page.locator('.plot [aria-label="tip"]').first();
      await expect.poll(() => tip.textContent()).toMatch(/Request \d+.*Cut: −[\d,]+ tokens/s);
    });
  });
});

describe("the transcript", () => {
  test("a cut opens: original, reason, ref", async () => {
    const data = makeSmallSession();
    const at = data.parts.findIndex(({ edits }) => edits.length > 0);
    const edit = data.edits[data.parts[at]?.edits[0] ?? -1];
    await visit(data, {}, async (page) => {
      const part = partAt(page, at);
      const fold = part.locator(".cut-line");
      expect(await part.innerText()).not.toContain("needle");
      expect(await part.innerText()).toContain(edit?.reason);
      expect(await fold.getAttribute("aria-expanded")).toBe("false");
      await fold.click();
      expect(await fold.getAttribute("aria-expanded")).toBe("true");
      const text = await part.innerText();
      expect(text).toContain("needle in the haystack");
      expect(text).toContain(edit?.ref);
      await fold.click();
      expect(await part.innerText()).not.toContain("needle");
    });
  });

  test("a long text is clipped until it is opened", async () => {
    const data = makeSmallSession();
    await visit(data, {}, async (page) => {
      const part = page.locator("article.kind-result:not(.edited)").last();
      expect((await part.innerText()).match(/newName/g)).toHaveLength(10);
      await part.getByRole("button", { name: /Show all/ }).click();
      expect((await part.innerText()).match(/newName/g)).toHaveLength(60);
    });
  });

  test("search finds, also inside a cut, and shows it", async () => {
    await visit(makeSmallSession(), {}, async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("NEEDLE");
      await expect.poll(() => page.getByRole("status").innerText()).toMatch(/^1 of /);
      await expect.poll(() => page.locator("mark").allInnerTexts()).toEqual(["needle"]);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.getByRole("status").innerText()).toMatch(/^\d+ parts$/);
      await page.getByRole("searchbox").fill("nothing like this");
      await page.getByText("No part matches").waitFor();
    });
  });

  test("a filter by mechanism shows only its edits, and a number leads back to the neighbours", async () => {
    await visit(sample, {}, async (page) => {
      const parts = sample.parts.flatMap(({ edits }, i) =>
        edits.some((edit) => sample.edits[edit]?.mechanism === "file") ? [i] : [],
      );
      await page.getByRole("group", { name: "Show" }).getByRole("button", { name: /^file/ }).click();
      await expect
        .poll(() => page.getByRole("status").innerText())
        .toBe(`${parts.length} of ${sample.parts.length} parts`);
      const first = parts[0] ?? 0;
      await partAt(page, first)
        .getByRole("button", { name: `#${first + 1}` })
        .click();
      await expect.poll(() => page.getByRole("status").innerText()).toBe(`${sample.parts.length} parts`);
      await expect.poll(() => activePart(page)).toBe(String(first));
      expect(await partAt(page, first + 1).count()).toBe(1);
    });
  });

  test("a mechanism and a cut of the overview lead into the transcript", async () => {
    await visit(sample, {}, async (page) => {
      const panel = page.getByRole("region", { name: "Cuts", exact: true });
      await panel.getByRole("button", { name: "retry" }).click();
      await expect
        .poll(() => page.getByRole("group", { name: "Show" }).locator("[aria-pressed=true]").innerText())
        .toMatch(/^retry/);
      await panel
        .getByRole("button", { name: /^request/ })
        .last()
        .click();
      const edit = sample.edits[sample.requests.findLast(({ cut }) => cut)?.cut?.edits[0] ?? -1];
      await expect.poll(() => activePart(page)).toBe(String(edit?.parts[0]));
    });
  });

  test("dropped text opens, restored text is marked, compactions and lost evidence are named", async () => {
    const small = makeSmallSession();
    const [cut] = small.edits;
    if (!cut) throw new Error("nothing was cut");
    const data: ReportData = {
      ...small,
      session: { ...small.session, redacted: true },
      edits: [
        { ...cut, type: "drop", mechanism: "trim", ref: "d0d0d0", reason: "an old turn", parts: [1, 2] },
        {
          ...cut,
          ref: "b0b0b0",
          parts: [0],
          request: 1,
          undone: { request: 2, reason: "the agent wants it" },
        },
      ],
      parts: small.parts.map(({ dropped: _, ...part }, i) => ({
        ...part,
        segment: i < 5 ? 0 : 1,
        edits: i === 0 ? [1] : i < 3 ? [0] : [],
        leaves: part.leaves.map((leaf) => ({ ...leaf, pieces: leaf.pieces.map(({ text }) => ({ text })) })),
        ...((i === 1 || i === 2) && { dropped: 0, shown: 0 }),
      })),
      requests: small.requests.map((request, i) => ({
        ...request,
        segment: i < 2 ? 0 : 1,
        evidence: i === 1 ? { counted: 3, kept: 1 } : { counted: 0, kept: 0 },
      })),
    };
    await visit(data, {}, async (page) => {
      const part = partAt(page, 2);
      expect(await part.innerText()).toContain("an old turn");
      expect(await part.innerText()).not.toContain("oldName");
      await part.locator(".cut-line").click();
      expect(await part.innerText()).toContain("with 1 other part");
      expect(await part.innerText()).toContain("oldName");
      expect(await partAt(page, 0).innerText()).toContain("restored at request 3: the agent wants it");
      expect(await page.getByText("The agent compacted its history here and continued").count()).toBe(1);
      expect(await page.locator(".plot").first().textContent()).toContain("compaction");
      expect(await page.getByText("redacted").count()).toBe(1);
      await page
        .getByRole("region", { name: "Still there when needed" })
        .getByRole("button", { name: "request 2" })
        .click();
      const answer = data.parts.findIndex(({ request }) => request === 2);
      await expect.poll(() => activePart(page)).toBe(String(answer));
    });
  });

  test("how the agent's work went, as a table", async () => {
    const counts = {
      ...{ requests: 12, prompts: 2, edits: 40, missedEdits: 1, reads: 8, rereads: 2 },
      ...{ commands: 0, reruns: 0, recalls: 3 },
    };
    await visit({ ...makeSmallSession(), work: { counts, isPruned: true } }, {}, async (page) => {
      const panel = page.getByRole("region", { name: "How the agent's work went in this session" });
      expect(await panel.locator("thead").innerText()).toMatch(/with pruning/);
      expect(await panel.locator("tbody tr").allInnerTexts()).toEqual([
        expect.stringMatching(/^edits that failed: text not found\s+2\.5 of 100$/),
        expect.stringMatching(/^reads of text already read\s+25\.0 of 100$/),
        expect.stringMatching(/^commands run again\s+–$/),
        expect.stringMatching(/^recalls of cut text\s+25\.0 of 100$/),
        expect.stringMatching(/^requests per prompt\s+6\.0$/),
      ]);
    });
  });

  test("the keyboard alone: move, go from edit to edit, open, change the theme", async () => {
    const edited = sample.parts.flatMap(({ edits }, i) => (edits.length > 0 ? [i] : []));
    await visit(sample, {}, async (page) => {
      for (const [key, part] of [
        ["j", 1],
        ["j", 2],
        ["k", 1],
        ["n", edited[0]],
        ["n", edited[1]],
        ["p", edited[0]],
      ] as const) {
        await page.keyboard.press(key);
        await expect.poll(() => activePart(page), { message: key }).toBe(String(part));
      }
      const fold = partAt(page, edited[0] ?? 0)
        .locator(".cut-line")
        .first();
      await page.keyboard.press("Enter");
      expect(await fold.getAttribute("aria-expanded")).toBe("true");
      await page.keyboard.press("Enter");
      expect(await fold.getAttribute("aria-expanded")).toBe("false");
      await page.keyboard.press("t");
      expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
      await page.keyboard.press("t");
      expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    });
  });
});

test("text of a transcript never runs, in any form and any place", async () => {
  const data = makeHostileSession();
  expect(data.edits.length).toBeGreaterThan(0);
  await visit(data, {}, async (page) => {
    for (const index of data.parts.keys()) {
      await page.keyboard.press("j");
      for (const button of await page.locator("[aria-expanded=false]").all())
        await button.click({ timeout: 2_000 }).catch(() => {});
      expect(index).toBeLessThan(200);
    }
    await page.getByRole("searchbox").fill("<script>");
    await expect.poll(() => page.locator("mark").count()).toBeGreaterThan(0);
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    expect(await page.locator("script").count()).toBe(2);
    expect(
      await page.locator("main img, main iframe, main svg[onload], main style:not(.plot style)").count(),
    ).toBe(0);
    expect(await page.locator("main").innerText()).toContain("<img src=x onerror=");
  });
});

test("actions of a page script are forbidden as well: no inline handler, no foreign script, no network", async () => {
  const { page, trouble } = await bench.open(makeSmallSession());
  const failures: (string | undefined)[] = [];
  page.on("requestfailed", (request) => failures.push(request.failure()?.errorText));
  await page.evaluate(`(() => {
    const script = document.createElement("script");
    script.append("window.hacked = 1");
    try { document.body.append(script); } catch {}
    const image = document.createElement("img");
    image.setAttribute("src", "https://example.invalid/x.png");
    try { image.setAttribute("onerror", "window.hacked = 2"); } catch {}
    document.body.append(image);
  })()`);
  await expect.poll(() => failures).toEqual(["csp"]);
  expect(await page.evaluate("window.hacked")).toBeUndefined();
  expect(trouble.join("\n")).toMatch(/Content Security Policy/);
  await page.close();
});

test("a session of 5,000 parts scrolls: few rows at a time, no gap, to the very end", async () => {
  const data = makeLongSession();
  expect(data.parts.length).toBeGreaterThanOrEqual(5_000);
  await visit(data, {}, async (page) => {
    const rows = page.locator("article");
    for (let i = 0; i < 12; i++) {
      await page.mouse.wheel(0, 20_000);
      await expect.poll(() => countVisible(page)).toBeGreaterThan(2);
      expect(await rows.count()).toBeLessThan(80);
    }
    await page.keyboard.press("End");
    await expect.poll(async () => (await rows.last().innerText()).includes("unmistakable")).toBe(true);
    expect(await rows.last().getAttribute("aria-posinset")).toBe(String(data.parts.length));
    await page.getByRole("searchbox").fill("result 2555 of");
    await expect.poll(() => page.getByRole("status").innerText()).toMatch(/^1 of /);
    const found = data.parts.findIndex(({ leaves }) => leaves[0]?.pieces[0]?.text.startsWith("result 2555 "));
    await page.getByRole("button", { name: `#${formatNumber(found + 1)}` }).click();
    await expect.poll(() => activePart(page)).toBe(String(found));
    const box = await partAt(page, found).boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(900);
  });
});

describe("from a chart to a request", () => {
  const firstOf = (request: number) => String(sample.parts.findIndex((part) => part.request === request));

  test("a click on the chart goes to the request under the pointer", async () => {
    await visit(sample, {}, async (page) => {
      for (const [chart, request] of [
        ["line-raw", 30],
        ["line-with", 12],
      ] as const) {
        const svg = page.locator(`svg.plot:has(.${chart})`);
        const path = (await svg.locator(`.${chart} path`).first().getAttribute("d")) ?? "";
        const [x = 0] = readPoints(path)[request] ?? [];
        await svg.click({ position: { x: x + 1, y: 100 } });
        await expect.poll(() => activePart(page)).toBe(firstOf(request));
      }
    });
  });

  test("so do arrow keys and Enter; the choice is announced", async () => {
    await visit(sample, {}, async (page) => {
      const slider = page.getByRole("slider").first();
      await slider.focus();
      for (const key of ["Home", "ArrowRight", "ArrowRight", "PageUp", "ArrowLeft"])
        await page.keyboard.press(key);
      expect(await slider.getAttribute("aria-valuenow")).toBe("8");
      const { raw = 0, pruned = 0 } = sample.requests[7] ?? {};
      expect(await slider.getAttribute("aria-valuetext")).toContain(
        `Request 8, ${formatNumber(raw)} without pruning, ${formatNumber(pruned)} with Coppice`,
      );
      expect(await page.locator(".plot-cursor").count()).toBe(1);
      await page.keyboard.press("End");
      expect(await slider.getAttribute("aria-valuenow")).toBe(String(sample.requests.length));
      for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await expect.poll(() => activePart(page)).toBe(firstOf(sample.requests.length - 4));
    });
  });

  test("the table of figures leads there as well", async () => {
    await visit(sample, {}, async (page) => {
      await page.getByText("Figures", { exact: true }).click();
      await page
        .getByRole("region", { name: "Figures by request" })
        .getByRole("button", { name: "20" })
        .click();
      await expect.poll(() => activePart(page)).toBe(firstOf(19));
    });
  });
});

test("the project, the prompt and the date are at the top, with the sources of the figures", async () => {
  await visit(sample, {}, async (page) => {
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toMatch(
      /^discount-service: Finance found refunds that don't add up/,
    );
    const header = await page.locator(".page-header").innerText();
    expect(header).toContain("Tue 20 Jan 2026, 09:14 to 09:53 UTC (40 min)");
    expect(header).toContain("Claude Code");
    expect(header).toContain("bill as recorded");
    expect(await page.title()).toMatch(/^discount-service: Finance found .* – Coppice report$/);
  });
  await visit(makeSmallSession(), {}, async (page) => {
    expect(await page.locator(".page-header").innerText()).toContain("bill estimated");
    expect(await page.getByRole("region", { name: "Summary" }).innerText()).toMatch(/≈ \$\d.*≈ \$\d/s);
  });
});

test("separate conversations of one file are distinguished from compactions", async () => {
  await visit(makeSegments(12, 3, "conversations"), { height: 6_000 }, async (page) => {
    const lines = page.locator(".segment-break");
    await expect.poll(() => lines.count()).toBe(2);
    expect(await lines.allInnerTexts()).toEqual([
      "Conversation 2 of 3 begins here: Part 2 of the work, please.",
      "Conversation 3 of 3 begins here: Part 3 of the work, please.",
    ]);
    expect(await page.locator(".line-raw path").count()).toBe(3);
  });
  await visit(makeSegments(12, 3, "compactions"), {}, async (page) => {
    expect(await page.locator(".line-raw path").count()).toBe(1);
    expect(await page.locator(".page-header").innerText()).toContain("2 compactions");
  });
});

test.each(["light", "dark"] as const)(
  "printed from the %s theme: light, whole, without scrollers",
  async (theme) => {
    await visit(sample, { theme, width: 794 }, async (page) => {
      if (theme === "dark") for (let i = 0; i < 2; i++) await page.keyboard.press("t");
      await page.emulateMedia({ media: "print", colorScheme: theme });
      await page.getByRole("heading", { name: "Edits" }).waitFor();
      expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
        "rgb(255, 255, 255)",
      );
      expect(await page.evaluate("getComputedStyle(document.querySelector('.panel')).backgroundColor")).toBe(
        "rgb(255, 255, 255)",
      );
      const clipped = await page.evaluate<readonly string[]>(`[...document.querySelectorAll("body *")]
      .filter((node) => node.checkVisibility() && getComputedStyle(node).overflow !== "visible" && !node.closest("svg, .hidden, .bar")
        && (node.scrollHeight > node.clientHeight + 1 || node.scrollWidth > node.clientWidth + 1))
      .map((node) => node.className || node.tagName)`);
      expect(clipped).toEqual([]);
      const text = await page.locator("main").innerText();
      for (const { ref } of sample.edits.filter(({ undone }) => !undone)) expect(text).toContain(ref);
      for (const [i, { cut }] of sample.requests.entries())
        if (cut) expect(text).toContain(`request ${i + 1} `);
      for (const { name } of [...sample.tokens.tools, ...sample.tokens.kinds]) expect(text).toContain(name);
      expect(await page.locator("article:visible, button.chip:visible").count()).toBe(0);
      expect(text).toContain("A moment at which Coppice cut something");
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(794);
      expect(
        (await page.pdf({ format: "A4" })).toString("latin1").match(/\/Type\s*\/Page\b/g)?.length,
      ).toBeLessThan(12);
    });
  },
);

test.each([360, 1_024, 1_600])("at %i px nothing is wider than the window", async (width) => {
  await visit(sample, { width }, async (page) => {
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  });
});

describe("for everyone", () => {
  test.each(["light", "dark"] as const)("axe finds nothing in the %s theme", async (theme) => {
    for (const [data, width] of [
      [sample, 1_024],
      [sample, 360],
      [makeEmptySession(), 1_024],
    ] as const) {
      await visit(data, { theme, width }, async (page) => {
        if (data.edits.length > 0) {
          await page.keyboard.press("n");
          await page.keyboard.press("Enter");
        }
        await page.evaluate(axe.source);
        const violations = await page.evaluate<readonly { id: string; nodes: readonly { html: string }[] }[]>(
          "axe.run().then(({ violations }) => violations)",
        );
        expect(
          violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
        ).toEqual([]);
      });
    }
  });

  test("the reader's own theme applies, and the button changes it", async () => {
    const ground = "getComputedStyle(document.body).backgroundColor";
    await visit(makeSmallSession(), { theme: "dark" }, async (page) => {
      const dark = await page.evaluate<string>(ground);
      await page.getByRole("button", { name: /Theme/ }).click();
      const light = await page.evaluate<string>(ground);
      expect(light).not.toBe(dark);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await page.evaluate<string>(ground)).toBe(light);
    });
  });

  test("an empty session says so", async () => {
    await visit(makeEmptySession(), {}, async (page) => {
      const text = await page.locator("main").innerText();
      for (const sentence of ["no request", "Nothing was cut", "No tool was called", "The session is empty"])
        expect(text).toContain(sentence);
      expect(text).not.toMatch(/NaN|undefined|Infinity/);
    });
  });
});

/** Rows between the toolbar and the lower edge. */
function countVisible(page: Page): Promise<number> {
  return page.evaluate<number>(`[...document.querySelectorAll("article")].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > 120 && top < innerHeight;
  }).length`);
}

function addUp(numbers: readonly number[]): readonly number[] {
  let sum = 0;
  return numbers.map((number) => {
    sum += number;
    return sum;
  });
}

/** `M1,2L3,4` */
function readPoints(path: string): readonly (readonly [x: number, y: number])[] {
  return [...path.matchAll(/[ML]([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
}

/** One point for each value, evenly spaced, and as high as the value says: two of them give the scale. */
function expectToDraw(points: readonly (readonly [x: number, y: number])[], values: readonly number[]): void {
  expect(points).toHaveLength(values.length);
  const [low, high] = [values.indexOf(Math.min(...values)), values.indexOf(Math.max(...values))];
  const y = (i: number): number => points[i]?.[1] ?? 0;
  const scale = (y(low) - y(high)) / ((values[high] ?? 0) - (values[low] ?? 0));
  expect(scale).toBeGreaterThan(0);
  for (const [i, value] of values.entries())
    expect(Math.abs(y(low) - scale * (value - (values[low] ?? 0)) - y(i))).toBeLessThan(0.1);
  const gap = (points[1]?.[0] ?? 0) - (points[0]?.[0] ?? 0);
  for (const [i, [x]] of points.entries()) expect(x).toBeCloseTo((points[0]?.[0] ?? 0) + i * gap, 0);
}
