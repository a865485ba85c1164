import { createHash } from "node:crypto";
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect, test } from "vitest";
import { renderReport } from "../../src/page/render-report.ts";
import { buildReportData } from "../../src/page/report-data.ts";
import { answer, makeRecording, user } from "../replay/make-recording.ts";

const ASSETS = { script: "start()", style: "body{margin:0}", chartStyle: ".plot{}" };
const HOSTILE = [
  "</script><script>alert(1)</script>",
  "<!--<script>",
  "<!-- </script --> ]]>",
  "</SCRIPT\n>",
  '"><img src=x onerror=alert(1)>',
  "\u2028\u2029\u0000\ud800",
];

function dataOf(text: string, session?: string) {
  return buildReportData({
    ...makeRecording([user(text), answer(text)]),
    ...(session !== undefined && { session }),
  });
}

/** The text between the tags, by the rule of HTML: up to the first end tag. */
function blockOf(html: string): string {
  const from = html.indexOf('id="report">') + 'id="report">'.length;
  return html.slice(from, html.toLowerCase().indexOf("</script", from));
}

test.each(HOSTILE)("%j cannot leave the block of data", (text) => {
  const data = dataOf(text);
  const html = renderReport(data, ASSETS);
  expect(blockOf(html)).not.toContain("<");
  expect(JSON.parse(blockOf(html))).toEqual(JSON.parse(JSON.stringify(data)));
});

test("no text at all can leave the block of data", () => {
  const frame = renderReport(dataOf(""), ASSETS);
  const tags = (html: string): number => html.split(/<(?=[a-z!/])/i).length;
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("<", "/", "!", "-", "script", ">", " ") })),
      (text) => {
        const html = renderReport(dataOf(text), ASSETS);
        expect(tags(html)).toBe(tags(frame));
      },
    ),
    { numRuns: 200 },
  );
});

test("the title is text", () => {
  const html = renderReport(dataOf('</title><script>alert("1")</script>&'), ASSETS);
  const { document } = parseHTML(html);
  expect(document.querySelectorAll("script")).toHaveLength(2);
  expect(document.title).toContain('</title><script>alert("1")</script>&');
});

test("the policy allows the bundle by its hash and nothing else", () => {
  const html = renderReport(dataOf("a"), ASSETS);
  const { document } = parseHTML(html);
  const policy =
    document.querySelector("meta[http-equiv=Content-Security-Policy]")?.getAttribute("content") ?? "";
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  expect(policy.split("; ")).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      `script-src ${hash(ASSETS.script)}`,
      `style-src ${hash(ASSETS.style)} ${hash(ASSETS.chartStyle)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
    ]),
  );
  expect(policy).not.toContain("unsafe");
  // The policy comes before everything that it applies to.
  expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<style>"));
  expect(document.querySelector("style")?.textContent).toBe(ASSETS.style);
});

test.each([
  { ...ASSETS, script: 'x = "</script>"' },
  { ...ASSETS, script: "x = '<!--'" },
  { ...ASSETS, style: "a{content:'</STYLE>'}" },
])("a bundle that would end its own element is refused: %j", (assets) => {
  expect(() => renderReport(dataOf("a"), assets)).toThrow(/end tag/);
});

test("the file refers to nothing outside itself", () => {
  expect(renderReport(dataOf("a"), ASSETS)).not.toMatch(/(?:src|href)=/);
});
