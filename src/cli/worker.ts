import { parentPort } from "node:worker_threads";
import { runTask, type Task } from "./task.ts";

parentPort?.on("message", async (task: Task) => {
  parentPort?.postMessage(await runTask(task));
});
