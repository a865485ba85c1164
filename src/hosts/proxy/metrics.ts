import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { isCounted, isCut, measureDollars, measureTokens } from "./measure-request.ts";
import type { Service } from "./service.ts";
import type { SentRequest } from "./watcher.ts";

export interface MetricsOptions {
  readonly listeners: () => number;
  readonly sessions: () => number;
  readonly textSize: () => number;
  readonly journalFaults: () => number;
}

/** The most program names to report separately, because anyone can write these headers. All others count as one. */
const MOST_CLIENTS = 20;
const USUAL_STATUS = new Set([200, 400, 401, 403, 404, 408, 413, 429, 500, 502, 503, 504, 529]);

/** `/metrics`, for Prometheus. */
export function metrics(options: MetricsOptions): Service {
  const registry = new Registry();
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `coppice_${name}_total`, help, labelNames, registers });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `coppice_${name}`,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });

  const requests = counter("requests", "Requests to models, answered or failed", [
    "client",
    "wire",
    "status",
  ]);
  const passed = counter("passed", "Requests that the proxy passed on without reading them");
  const tokens = counter("tokens", "Input tokens by estimate: sent, and saved by pruning", ["what"]);
  const dollars = counter(
    "dollars",
    "USD: paid, from the usage in the answers, and the cost without Coppice",
    ["what"],
  );
  const cuts = counter("cuts", "Requests at which Coppice cut something, by reason", ["reason"]);
  const counted = counter("provider_tokens", "Tokens as providers count them", ["kind"]);
  const losses = counter("cache_losses", "Requests that missed the cache unexpectedly, by cause", ["cause"]);
  const lossDollars = counter("cache_loss_dollars", "Extra USD paid for text that the cache lost, by cause", [
    "cause",
  ]);
  const heldUp = new Histogram({
    name: "coppice_held_up_seconds",
    help: "Time from a request's arrival until the proxy sent it on",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers,
  });
  const underWay = new Set<number>();
  gauge("answers_in_flight", "Requests whose answer has not ended", () => underWay.size);
  gauge("dashboard_listeners", "Pages that listen to the dashboard's events", options.listeners);
  gauge("sessions_in_memory", "Sessions whose figures are in memory", options.sessions);
  gauge(
    "text_in_memory_characters",
    "Characters of messages that are in memory for report pages",
    options.textSize,
  );
  new Counter({
    name: "coppice_journal_faults_total",
    help: "How often the store failed or gave no answer",
    registers,
    collect() {
      this.reset();
      this.inc(options.journalFaults());
    },
  });

  const clients = new Set<string>();
  function nameOf({ client = "unknown" }: SentRequest): string {
    if (clients.size < MOST_CLIENTS) clients.add(client);
    return clients.has(client) ? client : "other";
  }
  const end = (sent: SentRequest, status: string): void => {
    underWay.delete(sent.serial);
    requests.inc({ client: nameOf(sent), wire: sent.wire.name, status });
  };

  return {
    sent(sent) {
      underWay.add(sent.serial);
      heldUp.observe(sent.heldUp / 1_000);
    },
    answered(sent, answered) {
      const { status, answer, loss } = answered;
      end(sent, USUAL_STATUS.has(status) ? String(status) : `${Math.floor(status / 100)}xx`);
      if (!answer || !isCounted(sent)) return;
      const size = measureTokens(sent, answered);
      tokens.inc({ what: "sent" }, size.with);
      tokens.inc({ what: "saved" }, Math.max(0, size.without - size.with));
      const cost = measureDollars(sent, answered);
      if (cost) dollars.inc({ what: "paid" }, cost.with);
      if (cost) dollars.inc({ what: "without" }, cost.without);
      if (sent.report.cut && isCut(sent, answered)) cuts.inc({ reason: sent.report.cut.reason });
      if (loss) losses.inc({ cause: loss.cause });
      if (loss?.dollars !== undefined) lossDollars.inc({ cause: loss.cause }, loss.dollars);
      const { usage } = answer;
      if (!usage) return;
      counted.inc({ kind: "input" }, usage.input);
      counted.inc({ kind: "cache_read" }, usage.cacheRead);
      counted.inc({ kind: "cache_write" }, usage.cacheWrite);
      counted.inc({ kind: "output" }, usage.output);
    },
    failed: (sent) => end(sent, "none"),
    passed: () => passed.inc(),
    pages: [
      {
        methods: ["GET"],
        path: "/metrics",
        async handle(_, outgoing) {
          const text = await registry.metrics();
          outgoing.writeHead(200, { "content-type": registry.contentType });
          outgoing.end(text);
        },
      },
    ],
    close: () => registry.clear(),
  };
}
