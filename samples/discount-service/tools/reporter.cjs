/** One line per test, failures in full at the end, without the frames of Node itself. */
module.exports = async function* report(events) {
  const path = [];
  const failures = [];
  const started = performance.now();
  let passed = 0;
  for await (const { type, data } of events) {
    if (type === "test:start") path[data.nesting] = data.name;
    if ((type !== "test:pass" && type !== "test:fail") || data.details.type === "suite") continue;
    const name = [...path.slice(0, data.nesting), data.name].join(" > ");
    const time = `(${data.details.duration_ms.toFixed(1)}ms)`;
    if (type === "test:pass") {
      passed += 1;
      yield `✔ ${name} ${time}\n`;
    } else {
      failures.push({ name, error: data.details.error });
      yield `✖ ${name} ${time}\n`;
    }
  }
  for (const { name, error } of failures) yield `\n✖ ${name}\n${describeError(error?.cause ?? error)}`;
  const duration = (performance.now() - started).toFixed(0);
  yield `\n${passed} passed, ${failures.length} failed, duration_ms ${duration}\n`;
};

function describeError(error) {
  const frames = String(error?.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at .*file:/.test(line));
  const message = String(error?.message ?? error).trimEnd();
  return `  ${error?.name ?? "Error"}: ${message.replaceAll("\n", "\n  ")}\n${frames.join("\n")}\n`;
}
