import { Worker } from "node:worker_threads";
import { packageFile } from "../../../basics/package-file.ts";
import { type LiveReport, renderLive } from "./render-live.ts";

/** The most pages that may wait; they are made one after the other. */
const MOST_WAITING = 8;

/** Renders report pages in threads, because a long session takes seconds and requests must not wait for it. */
export class ReportThread {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `undefined` if too many are waiting. @throws if the page can't be made */
  async render(report: LiveReport): Promise<string | undefined> {
    if (this.#waiting >= MOST_WAITING) return undefined;
    this.#waiting++;
    try {
      const page = this.#last.then(() => render(report));
      this.#last = page.catch(() => {});
      return await page;
    } finally {
      this.#waiting--;
    }
  }
}

/** A source file that was not built can't be loaded by a thread. */
const IS_BUILT = import.meta.url.endsWith(".js");

function render(report: LiveReport): string | Promise<string> {
  if (!IS_BUILT) return renderLive(report);
  return new Promise((resolve, reject) => {
    const thread = new Worker(packageFile("hosts/proxy/dashboard/report-worker.js"), { workerData: report });
    thread.unref();
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`the page's thread ended with code ${code}`)));
  });
}
