import { expect, test } from "vitest";
import { redactData } from "../../src/page/redact-data.ts";
import { buildReportData } from "../../src/page/report-data.ts";
import { answer, call, makeRecording, result, user } from "../replay/make-recording.ts";

const SECRET = "sk-live-0123456789";
const redact = (text: string): string => text.replaceAll(SECRET, "[secret]").replaceAll("/home/ann", "~");

const long = (text: string): string => `${"many words of text, line by line\n".repeat(60)}${text}`;

test("a secret is masked wherever it stands", () => {
  const recording = {
    ...makeRecording([
      user(`the key is ${SECRET}`),
      call("c1", `read_${SECRET}`, { path: `/home/ann/${SECRET}`, [SECRET]: "x", note: SECRET }),
      result("c1", long(SECRET)),
      call("c2", `read_${SECRET}`, { path: `/home/ann/${SECRET}`, [SECRET]: "x", note: SECRET }),
      result("c2", long(SECRET)),
      answer(`I saw ${SECRET}`, { model: `model-${SECRET}` }),
    ]),
    session: `session-${SECRET}`,
    issues: [
      { code: "broken-line", message: SECRET, where: `/home/ann/${SECRET}`, severity: "warning" } as const,
    ],
  };
  const config = { schedule: { mode: "eager" } } as const;
  const plain = buildReportData(recording, { config });
  const data = buildReportData(recording, { config, redact });
  expect(plain.edits).not.toHaveLength(0);
  expect(JSON.stringify(plain)).toContain(SECRET);
  expect(JSON.stringify(data)).not.toContain(SECRET);
  expect(JSON.stringify(data)).not.toContain("/home/ann");
  expect(data.session.redacted).toBe(true);
  expect(plain.session.redacted).toBe(false);
  expect(data.requests).toHaveLength(plain.requests.length);
  expect(data.parts[0]?.leaves[0]?.pieces[0]?.text).toBe("the key is [secret]");
});

test("a secret across the edge of a cut is masked too, and the cut is still there", () => {
  const data = buildReportData(makeRecording([user("a"), answer("b")]));
  const [part] = data.parts;
  if (!part) throw new Error("no part");
  const pieces = [
    { text: "key sk-live-" },
    { text: "0123456789 and more", cut: { edit: 3, instead: "0123456789" } },
    { text: " rest" },
  ];
  const redacted = redactData({ ...data, parts: [{ ...part, leaves: [{ name: "text", pieces }] }] }, redact);
  expect(redacted.parts[0]?.leaves).toEqual([
    {
      name: "text",
      pieces: [{ text: "key [secret] and more rest", cut: { edit: 3, instead: "key [secret] rest" } }],
    },
  ]);
});

test("pieces without secrets stay pieces", () => {
  const data = buildReportData(makeRecording([user("a"), answer("b")]));
  const [part] = data.parts;
  if (!part) throw new Error("no part");
  const leaves = [
    { name: "text", pieces: [{ text: `${SECRET} a` }, { text: "b", cut: { edit: 0, instead: "c" } }] },
  ];
  const redacted = redactData({ ...data, parts: [{ ...part, leaves }] }, redact);
  expect(redacted.parts[0]?.leaves[0]?.pieces).toEqual([
    { text: "[secret] a" },
    { text: "b", cut: { edit: 0, instead: "c" } },
  ]);
});
