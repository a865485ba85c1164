import { isPlaceholder } from "./secret-names.ts";
import type { TextSpan } from "./text-span.ts";

/** Programs that take a secret after a short flag. The rest of the line up to the next command is examined. */
const PROGRAM =
  /(?=[cdhlmoprsuvwz7])(?<=^|[^\w.-]|\[\d{1,3}m|\\[bfnrt])(curl|wget|sshpass|mysql(?:dump|admin|import|show)?|mariadb(?:-dump)?|docker|podman|helm|redis-cli|valkey-cli|mongo(?:sh|dump|restore)?|7za?|zip|unzip|smbclient|ldapsearch|openssl|htpasswd)[ \t]([^\n\r|;]{1,2000})/g;

const VALUE = String.raw`(?:["']?)([^\s"'${"`"}\\]{3,})`;
/** `-u user:password`: the user is kept. */
const USER = new RegExp(
  String.raw`(?<=\s|^)(?:-u|-U|--user|--proxy-user)(?:[ =]{0,2})["']?[^\s"'${"`"}\\:]{1,100}:${VALUE}`,
  "g",
);
const APART = new RegExp(String.raw`(?<=\s|^)-p ?${VALUE}`, "g");
const ATTACHED = new RegExp(String.raw`(?<=\s|^)-p${VALUE}`, "g");
const DASH_A = new RegExp(String.raw`(?<=\s|^)-a ${VALUE}`, "g");
const UPPER_P = new RegExp(String.raw`(?<=\s|^)-P ?${VALUE}`, "g");
const DASH_W = new RegExp(String.raw`(?<=\s|^)-w ${VALUE}`, "g");
const COOKIE = new RegExp(String.raw`(?<=\s|^)-b ["']?(?=[\w.-]{1,80}=)([^"'${"`"}\\\r\n]{4,})`, "g");
const PASS_IN = new RegExp(String.raw`(?<=[\s"'])pass:${VALUE}`, "g");
const LAST_WORD = /(?<=\s-[a-zA-Z]{0,6}b[a-zA-Z]{0,6}\s[^\s]{1,100}\s[^\s]{1,100}\s)["']?([^\s"'`\\]{3,})/g;

function rulesFor(program: string): readonly RegExp[] {
  if (program === "curl" || program === "wget") return [USER, COOKIE];
  if (program === "smbclient") return [/(?<=\s)-U ["']?[^\s"'%]{1,100}%([^\s"'`\\]{3,})/g];
  if (program === "ldapsearch") return [DASH_W];
  if (program === "openssl") return [PASS_IN];
  if (program === "htpasswd") return [LAST_WORD];
  if (program.endsWith("-cli")) return [DASH_A];
  if (/^(?:mysql|mariadb|7z)/.test(program)) return [ATTACHED];
  if (/zip$/.test(program)) return [UPPER_P];
  return [APART];
}

/**
 * Secrets of commands whose flags alone are ambiguous.
 *
 *   curl -u ada:hunter22 …   ->  hunter22
 *   mysql -phunter22 shop    ->  hunter22
 *   docker login -p …        ->  …, but not `docker run -p 8080:80`
 */
export function* findCommandSecrets(text: string): Iterable<TextSpan> {
  for (const { 0: found, 1: program = "", 2: rest = "", index } of text.matchAll(PROGRAM)) {
    if (/^(?:docker|podman|helm)$/.test(program) && !/\blogin\b/.test(rest)) continue;
    const start = index + found.length - rest.length;
    for (const rule of rulesFor(program)) {
      for (const match of rest.matchAll(rule)) {
        const value = match[1] ?? "";
        const from = start + match.index + match[0].length - value.length;
        if (!isPlaceholder(value)) yield { from, to: from + value.length };
      }
    }
  }
}
