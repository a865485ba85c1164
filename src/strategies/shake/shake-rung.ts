import { MOST_SPANS } from "../../edits/cut-plan.ts";
import type { Rung } from "../rung.ts";
import { listCandidates } from "./list-candidates.ts";
import { AGGRESSIVE_SHAKE_CONFIG, protectTools, type ShakeConfig } from "./shake-config.ts";

/** A `ShakeConfig` in the form of a configuration file: tools are names or globs. */
interface ShakeSettings extends Omit<ShakeConfig, "protectedTools"> {
  readonly protectedTools: readonly string[];
}

/** The shake as a rung of the ladder: oldest text first, and no result that was cut before. */
export function shakeRung(settings: ShakeSettings): Rung {
  return makeRung("shake", { ...settings, protectedTools: protectTools(settings.protectedTools) }, false);
}

/** Also cuts recent text, and the rest of a result that an earlier rung cut, if a placeholder is still smaller. */
export function aggressiveShakeRung({ protectedTools }: Pick<ShakeSettings, "protectedTools">): Rung {
  const config = { ...AGGRESSIVE_SHAKE_CONFIG, protectedTools: protectTools(protectedTools) };
  return makeRung("aggressive-shake", config, true);
}

function makeRung(name: string, config: ShakeConfig, recut: boolean): Rung {
  return {
    name,
    *propose(facts, shown) {
      const { tokens } = shown;
      const isCut = (part: number) => shown.isCut(part);
      const taken = new Map<number, number>();
      for (const { plan } of listCandidates(facts, config, { tokens, isCut, recut })) {
        const before = taken.get(plan.part) ?? 0;
        taken.set(plan.part, before + 1);
        // Further blocks are left for the next time.
        if (before < MOST_SPANS) yield plan;
      }
    },
  };
}
