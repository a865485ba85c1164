import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { addressesIn, type Client, type ClientPlace, type Env } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

const ADDRESS = "GOOGLE_GEMINI_BASE_URL";

export const GEMINI: Client = {
  name: "gemini",
  title: "Gemini CLI",
  id: "gemini-cli",
  program: "gemini",
  install: "npm install -g @google/gemini-cli",

  addresses(place) {
    const file = findEnvFile(place);
    const url = file === undefined ? undefined : readEnvFile(file)[ADDRESS];
    return [
      ...addressesIn(place.env, "gemini", [ADDRESS]),
      ...(file !== undefined && url ? [{ upstream: "gemini", url, where: file }] : []),
    ];
  },

  detours(place) {
    const { env } = place;
    const login = geminiLogin(place);
    return [
      ...(env.GOOGLE_GENAI_USE_VERTEXAI === "true" || login === "vertex-ai" ? ["it uses Vertex AI"] : []),
      ...(env.GOOGLE_GENAI_USE_GCA === "true" || login === "oauth-personal"
        ? ["it is logged in with a Google account, which uses another API: use an API key"]
        : []),
      ...(login === undefined ? [NO_LOGIN] : []),
    ];
  },

  // MCP servers come only from settings files, and of those that a variable can name it reads only root's.
  point: ({ place, base }) =>
    geminiLogin(place) === undefined ? {} : { env: { [ADDRESS]: base("gemini") } },
};

/**
 * With an address in its environment and no login in its settings, it accepts no key at all ("Invalid auth
 * method").
 */
const NO_LOGIN =
  "Gemini CLI accepts another address only if its settings name the login: start gemini, choose an API key with /auth, and try again";

/** The login that the user has chosen with `/auth`. */
export function geminiLogin({ home, directory }: ClientPlace): string | undefined {
  return [join(directory, ".gemini/settings.json"), join(home, ".gemini/settings.json")]
    .map((file) => textAt(readSettingsFile(file), "security", "auth", "selectedType"))
    .find((found) => found !== undefined);
}

/** It reads one file of variables, the nearest. */
function findEnvFile({ home, directory }: ClientPlace): string | undefined {
  const folders = [directory];
  for (let at = directory; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return [...folders, home]
    .flatMap((folder) => [join(folder, ".gemini/.env"), join(folder, ".env")])
    .find((file) => existsSync(file));
}

function readEnvFile(file: string): Env {
  return parseEnv(readFileSync(file, "utf8").replace(/^\uFEFF/, "")) as Env;
}
