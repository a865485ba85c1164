/**
 * One line per event, `key=value` fields, easy to grep:
 *
 *   2026-01-12T08:30:00.000Z info  order.placed id=ORD-1042 total=41.85
 */
const LEVELS = ["debug", "info", "warn", "error"];

export function createLogger({ level = "info", write = writeToStdout, now = () => new Date() } = {}) {
  const threshold = LEVELS.indexOf(level);
  if (threshold < 0) throw new TypeError(`unknown log level: ${level}`);
  const logger = { child };
  for (const [rank, name] of LEVELS.entries()) {
    logger[name] =
      rank < threshold ? ignore : (event, fields) => write(formatLine(now(), name, event, fields));
  }
  return logger;

  /** A logger that adds the same fields to every line. */
  function child(common) {
    return createLogger({
      level,
      now,
      write: (line) => write(`${line}${formatFields(common)}`),
    });
  }
}

/** Collects lines instead of writing them: for tests. */
export function createMemoryLogger(level = "debug") {
  const lines = [];
  const logger = createLogger({ level, write: (line) => lines.push(line), now: () => new Date(0) });
  return { ...logger, lines };
}

function formatLine(time, level, event, fields = {}) {
  return `${time.toISOString()} ${level.padEnd(5)} ${event}${formatFields(fields)}`;
}

function formatFields(fields) {
  let text = "";
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    text += ` ${key}=${formatValue(value)}`;
  }
  return text;
}

function formatValue(value) {
  const text = Array.isArray(value) ? value.join(",") : String(value);
  return /[\s"=]/.test(text) || text === "" ? JSON.stringify(text) : text;
}

function writeToStdout(line) {
  process.stdout.write(`${line}\n`);
}

function ignore() {}
