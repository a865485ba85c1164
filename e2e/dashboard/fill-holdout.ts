import type { Store } from "../../src/stores/store.ts";

/** Sessions of a holdout, up to this time: pruned ones paid less. */
export async function fillHoldout(store: Store, conversations: number, time: number): Promise<void> {
  for (let i = 0; i < conversations; i++)
    for (const arm of ["pruned", "heldOut"] as const)
      for (let n = 0; n < 3 + (i % 5); n++)
        await store.addRequest({
          session: `${arm}-${i}`,
          time: time - i * 1_000,
          client: "codex",
          model: "gpt-5.4",
          tokensWith: 40_000,
          tokensWithout: arm === "pruned" ? 60_000 : 40_000,
          costWith: 0.03,
          costWithout: arm === "pruned" ? 0.04 : 0.03,
          cost: (arm === "pruned" ? 0.031 : 0.042) * (1 + ((i * 7 + n) % 10) / 20),
          arm,
          cuts: arm === "pruned" && n === 0 ? 1 : 0,
          work: {
            ...{ requests: 1, prompts: n === 0 ? 1 : 0, edits: 4, missedEdits: (i + n) % 9 === 0 ? 1 : 0 },
            ...{ reads: 3, rereads: arm === "pruned" ? 1 : 0, commands: 2, reruns: 0, recalls: 0 },
          },
        });
}
