import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { packageFile } from "../basics/package-file.ts";
import { failTask, runTask, type Task, type TaskOutcome } from "./task.ts";

/** More threads would only use memory: each holds a whole session. */
const MOST_THREADS = 8;

/** Runs the tasks in as many threads as there are cores, and returns their outcomes in the order of the tasks. */
export async function runTasks(
  tasks: readonly Task[],
  tell: (done: number, index: number, outcome: TaskOutcome) => void,
): Promise<readonly TaskOutcome[]> {
  const outcomes: TaskOutcome[] = [];
  let next = 0;
  let done = 0;
  const take = (): number | undefined => (next < tasks.length ? next++ : undefined);
  const settle = (index: number, outcome: TaskOutcome): void => {
    outcomes[index] = outcome;
    tell(++done, index, outcome);
  };
  const threads = Math.min(availableParallelism(), MOST_THREADS, tasks.length);
  if (threads < 2) for (const [index, task] of tasks.entries()) settle(index, await runTask(task));
  else await Promise.all(Array.from({ length: threads }, () => work(tasks, take, settle)));
  return outcomes;
}

/** Runs tasks in one thread, one after the other. A thread that dies is replaced. */
async function work(
  tasks: readonly Task[],
  take: () => number | undefined,
  settle: (index: number, outcome: TaskOutcome) => void,
): Promise<void> {
  let thread: Worker | undefined;
  for (let index = take(); index !== undefined; index = take()) {
    const task = tasks[index];
    if (!task) continue;
    thread ??= new Worker(packageFile("cli/worker.js"));
    const outcome = await ask(thread, task);
    if (outcome.died) thread = undefined;
    settle(index, outcome.value);
  }
  await thread?.terminate();
}

function ask(thread: Worker, task: Task): Promise<{ readonly value: TaskOutcome; readonly died: boolean }> {
  return new Promise((resolve) => {
    const leave = (value: TaskOutcome, died: boolean): void => {
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      resolve({ value, died });
    };
    const onMessage = (value: TaskOutcome): void => leave(value, false);
    const onError = (error: unknown): void => leave(failTask(task.path, error), true);
    const onExit = (code: number): void =>
      leave(failTask(task.path, `its thread ended with code ${code}`), true);
    thread.on("message", onMessage).on("error", onError).on("exit", onExit);
    thread.postMessage(task);
  });
}
