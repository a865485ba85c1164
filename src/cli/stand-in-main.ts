import { answerGone } from "./answer-gone.ts";
import { isRunning } from "./is-running.ts";

const [url = "", pid = "", command = ""] = process.argv.slice(2);

const CHECK_EVERY = 1_000;

if (isRunning(Number(pid))) {
  await answerGone(url, command);
  setInterval(() => {
    if (!isRunning(Number(pid))) process.exit();
  }, CHECK_EVERY);
}
