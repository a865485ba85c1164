import type { Watcher } from "./watcher.ts";

/** Calls all watchers. An error in one is reported and does not affect the others. */
export function watchAll(
  watchers: readonly Watcher[],
  fail: (what: string, error: unknown) => void,
): Required<Watcher> {
  const tell = (what: string, call: (watcher: Watcher) => void): void => {
    for (const watcher of watchers) {
      try {
        call(watcher);
      } catch (error) {
        fail(what, error);
      }
    }
  };
  return {
    sent: (request) => tell("noting a request", (watcher) => watcher.sent?.(request)),
    answered: (request, answered) =>
      tell("noting an answer", (watcher) => watcher.answered?.(request, answered)),
    failed: (request) => tell("noting a failure", (watcher) => watcher.failed?.(request)),
    passed: (route) => tell("noting what passed", (watcher) => watcher.passed?.(route)),
  };
}
