/**
 * The program of the service. `coppice init` copies this file into the user's data folder, so that it still exists
 * when the package is gone. It imports only modules of Node.
 *
 *   node service.mjs /usr/lib/node_modules/coppice/dist/cli/main.js 8787 [options of coppice proxy]
 *
 * It runs `coppice proxy`. If that is gone or can't start, it answers requests itself, and says what to do. Otherwise
 * agents would wait and try again for minutes.
 */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [main = "", port = "", ...options] = process.argv.slice(2);

/** With this status, all clients show the message and stop. */
const REFUSED = 400;
const CHECK_EVERY = 1_000;
/** In milliseconds. After that, the supervisor restarts this program, and it tries again. */
const TRY_AGAIN_AFTER = 15_000;

const LOG = process.platform === "darwin" ? "~/Library/Logs/coppice.log" : "journalctl --user --unit coppice";

if (!existsSync(main)) {
  answer(
    `it is no longer installed, but your agent's settings still use it. Install it again (npm install -g coppice), or remove it from the settings: npx coppice remove`,
  );
  setInterval(() => existsSync(main) && process.exit(), CHECK_EVERY);
} else {
  process.argv = [process.execPath, main, "proxy", "--port", port, ...options];
  try {
    await import(pathToFileURL(main).href);
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
  if (process.exitCode) {
    answer(
      `its service can't start, so no request can reach the model. For the reason, see: ${LOG}. To work without Coppice: coppice remove`,
    );
    setTimeout(() => process.exit(), TRY_AGAIN_AFTER);
  }
}

function answer(message: string): void {
  const body = JSON.stringify({
    type: "error",
    error: { type: "invalid_request_error", message: `coppice: ${message}` },
  });
  createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(REFUSED, { "content-type": "application/json" });
    outgoing.end(body);
  })
    .on("error", (error) => {
      console.error(`The address can't be used: ${error.message}`);
      setTimeout(() => process.exit(1), TRY_AGAIN_AFTER);
    })
    .listen(Number(port), "127.0.0.1");
}
