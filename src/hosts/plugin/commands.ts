import { isRef } from "../../transcript/refs.ts";
import type { SessionChange } from "../../transcript/session-command.ts";

/** Both names run the same command. */
export const COMMAND_NAMES: readonly string[] = ["coppice", "acp"];

export const COMMAND_DESCRIPTION =
  "Context pruning: stats | context | shake [aggressive] | restore <ref|all> | explain <ref> | off | on | shadow";

/** A slash command either shows something or changes the session. */
export type SlashCommand =
  | { readonly kind: "stats" | "context" | "usage" }
  | { readonly kind: "explain"; readonly ref: string }
  | { readonly kind: "change"; readonly command: SessionChange };

/**
 *   ""                 ->  stats
 *   "shake aggressive" ->  change { action: "shake", aggressive: true }
 *   "restore a1b2c3"   ->  change { action: "restore", target: "a1b2c3" }
 */
export function readArguments(text: string): SlashCommand {
  const [name = "stats", argument = ""] = text.split(/\s+/).filter((word) => word !== "");
  switch (name.toLowerCase()) {
    case "stats":
      return { kind: "stats" };
    case "context":
      return { kind: "context" };
    case "explain":
      return { kind: "explain", ref: stripHash(argument) };
    case "shake":
      return { kind: "change", command: { action: "shake", aggressive: argument.startsWith("aggr") } };
    case "restore":
      return readRestore(stripHash(argument));
    case "off":
      return { kind: "change", command: { action: "off" } };
    case "on":
      return { kind: "change", command: { action: "on" } };
    case "shadow":
      return { kind: "change", command: { action: "shadow" } };
    default:
      return { kind: "usage" };
  }
}

/** A target that is not a ref changes nothing, and the answer says so. */
function readRestore(target: string): SlashCommand {
  if (target === "") return { kind: "usage" };
  if (target !== "all" && !isRef(target)) return { kind: "explain", ref: target };
  return { kind: "change", command: { action: "restore", target } };
}

export const USAGE: string = `/coppice                      what was cut and saved, in this session and in total
/coppice context              how full the context is
/coppice shake [aggressive]   cut everything disposable now
/coppice restore <ref|all>    bring back what was cut
/coppice explain <ref>        what happened to a text
/coppice off | on | shadow    for this session; shadow changes nothing and reports what would be cut`;

/** The text that the person reads when the session changes. */
export function describeChange(command: SessionChange): string {
  switch (command.action) {
    case "off":
      return "Coppice is off in this session: from now on, messages are sent unchanged. /coppice on turns it on again.";
    case "on":
      return "Coppice is on in this session.";
    case "shadow":
      return "Coppice only watches in this session: it changes nothing and reports what it would cut. /coppice on ends this.";
    case "shake":
      return `Everything disposable${command.aggressive ? ", and then some," : ""} is cut with the next request. /coppice shows what it saved; /coppice restore all undoes it.`;
    case "restore":
      return command.target === "all"
        ? "Everything that was cut comes back with the next request."
        : `The text that was cut under ${command.target} comes back with the next request.`;
  }
}

function stripHash(ref: string): string {
  return ref.replace(/^#/, "");
}
