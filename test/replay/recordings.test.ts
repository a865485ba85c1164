import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { formatByName } from "../../src/formats/detect.ts";
import { readRecording } from "../../src/recordings/files.ts";
import type { Recording } from "../../src/recordings/recording.ts";
import { collectAnchors, collectEditAnchors } from "../../src/replay/anchors.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { keepLastResults } from "../../src/replay/peers.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { noPruning, type ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { listTexts } from "../../src/replay/sent-view.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import { mustRead } from "../recordings/parse.ts";

// Recorded sessions are not part of the project: without the shared folder next to it, nothing runs here.
const FOLDER = resolve("../shared/data/sessions");
const FILES = [
  "claude-code/entireio_cli__8c_fa910f8ef9_0.jsonl.gz",
  "codex/savekirk_session-bridge__64_b5e5660349_4.jsonl.gz",
  "opencode/eitatech_gatomia-vscode__17_6a36dde4c6_1.json.gz",
  "pi/raquezha_pi.dev__96_2b1009dcd7_0.jsonl.gz",
];

describe.skipIf(!existsSync(FOLDER))("recorded sessions", () => {
  test.each(FILES)("%s", async (file) => {
    const recording = mustRead(await readRecording(resolve(FOLDER, file)));
    const bench = prepareReplay(recording);
    const { unpruned } = bench;
    expect(unpruned).toMatchObject({ share: 1, breaks: 0, illegal: 0 });
    expect(unpruned.rewriteFree).toBeCloseTo(unpruned.bill);
    expect(unpruned.evidence.counted).toBeGreaterThan(100);
    expect(unpruned.evidence.kept).toBe(unpruned.evidence.counted);
    expect(unpruned.editEvidence.kept).toBe(unpruned.editEvidence.counted);
    expect(bench.run(noPruning)).toEqual(unpruned);

    const peer = bench.run(keepLastResults(10));
    expect(peer.sent).toBeLessThan(unpruned.sent);
    expect(peer.breaks).toBeGreaterThan(10);
    expect(peer.rewriteFree).toBeLessThan(peer.bill);
    expect(peer.evidence.kept).toBeLessThan(unpruned.evidence.kept);
    expect(peer.illegal).toBe(0);
    expect(sumEvidence(peer.requests)).toEqual(measureByHand(recording, keepLastResults(10)));

    const coppice = bench.run(coppicePolicy());
    expect(coppice.illegal).toBe(0);
    expect(coppice.issues).toEqual(unpruned.issues);
  });
});

function sumEvidence(requests: ReturnType<typeof prepareReplay>["unpruned"]["requests"]) {
  return requests.map(({ evidence, editEvidence }) => [
    ...[evidence.counted, evidence.kept],
    ...[editEvidence.counted, editEvidence.kept],
  ]);
}

/** Spec/9.2 word for word, without an index: every anchor is searched in every text. */
function measureByHand(recording: Recording, policy: ReplayPolicy) {
  const format = formatByName(recording.format);
  const kinds = createToolKinds();
  const decide = policy.start({
    source: recording.source,
    format: recording.format,
    prices: {},
    prefixTokens: 0,
    isRecorded: false,
  });
  return recording.segments.flatMap((segment, number) => {
    const history = segment.messages.map((message) => format.decode(message).parts);
    return history.flatMap((step, end) => {
      if (end < segment.carried || end === 0 || !step[0]?.opensStep) return [];
      const before = history.slice(0, end).flat();
      const view = decide(segment.messages.slice(0, end), {
        index: 0,
        segment: number,
        carried: segment.carried,
        meta: [],
        note: () => {},
        mark: () => {},
        addNote: () => {},
        report: () => {},
      });
      const texts = view.flatMap((message) => format.decode(message).parts.flatMap(listTexts));
      const isCounted = (anchor: string) => {
        const first = before.find((part) => listTexts(part).some((text) => text.includes(anchor)));
        return first !== undefined && (first.kind === "result" || first.role === "user");
      };
      const count = (anchors: ReadonlySet<string>) => {
        const counted = [...anchors].filter(isCounted);
        return [
          counted.length,
          counted.filter((anchor) => texts.some((text) => text.includes(anchor))).length,
        ];
      };
      const spoken = step.flatMap((part) =>
        part.kind === "text" || part.kind === "call" ? listTexts(part) : [],
      );
      const edits = step.flatMap((part) =>
        part.kind === "call" && kinds.describe(part.tool, part.input).kind === "edit"
          ? [...collectEditAnchors(part)]
          : [],
      );
      return [
        [...count(new Set(spoken.flatMap((text) => [...collectAnchors(text)]))), ...count(new Set(edits))],
      ];
    });
  });
}
