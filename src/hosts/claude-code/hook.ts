import { text } from "node:stream/consumers";
import { answerHook } from "./answer-hook.ts";

/*
 * The program that Claude Code starts for each hook of the plugin. After any error it prints nothing and ends with 0.
 * Claude Code then goes on as if there were no plugin.
 */
try {
  const answer = await answerHook(JSON.parse(await text(process.stdin)));
  if (answer) process.stdout.write(JSON.stringify(answer));
} catch {
  // The output stays as it is.
}
