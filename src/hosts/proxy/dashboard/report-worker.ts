import { parentPort, workerData } from "node:worker_threads";
import { type LiveReport, renderLive } from "./render-live.ts";

parentPort?.postMessage(renderLive(workerData as LiveReport));
