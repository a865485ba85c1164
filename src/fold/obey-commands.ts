import type { Orders } from "../schedule/scheduler.ts";
import type { Rung } from "../strategies/rung.ts";
import { isRef, type Ref } from "../transcript/refs.ts";
import type { SessionCommand, SessionStatus } from "../transcript/session-command.ts";

/** The status after a person's commands: the last `on`, `off` or `shadow` counts. */
export function statusAfter(commands: readonly SessionCommand[], before: SessionStatus): SessionStatus {
  const switches = commands.flatMap(({ action }) =>
    action === "on" || action === "off" || action === "shadow" ? [action] : [],
  );
  return switches.at(-1) ?? before;
}

/** The cuts and restorals that a person's commands order. `shakeWith` returns the rung for a shake. */
export function listOrders(
  commands: readonly SessionCommand[],
  shakeWith: (aggressive: boolean) => Rung,
): Orders {
  const shake = commands.findLast((command) => command.action === "shake");
  const restore = commands.flatMap((command): readonly (Ref | "all")[] => {
    if (command.action !== "restore") return [];
    if (command.target === "all") return ["all"];
    return isRef(command.target) ? [command.target] : [];
  });
  return { shake: shake && shakeWith(shake.aggressive), restore };
}
