import { measureUse } from "../../src/analysis/session-use.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import type { Recording } from "../../src/recordings/index.ts";
import { prepareReplay } from "../../src/replay/index.ts";
import type { Look } from "./definitions.ts";
import type { LeanSession } from "./play-lean.ts";

/** What a session called and paid, in the terms of its replay without pruning. */
export function measureSession(recording: Recording, look: Look): LeanSession {
  const { unpruned, book, termsOf } = prepareReplay(recording, { evidence: false });
  const { requests } = unpruned;
  const estimated = look.billed / profileFor(look.model).tokensPerEstimate;
  // One token of plain input less with each request says what such a token cost there.
  const less = book.priceRequests(requests.map(({ bill }) => bill - 1));
  const start = requests.find(({ time }) => time !== undefined)?.time;
  const use = measureUse(recording);
  return {
    use: {
      ...use,
      tools: use.tools.map((each) => ({ ...each, name: look.renamed.get(each.name) ?? each.name })),
    },
    ...(start !== undefined && { start }),
    paid: book.entries.reduce((sum, { input, output }) => sum + input + output, 0),
    requests: requests.map(({ model, cached }, i) => {
      const { scale, read, write } = termsOf(model);
      const { paid, left } = less[i] ?? { paid: 0, left: 0 };
      const dollars = paid - left;
      return { cached, scale: scale * estimated, read: read * dollars, write: write * dollars };
    }),
  };
}
