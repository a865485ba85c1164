/**
 * Runs recorded orders through the service: quote, place, ship, and a full refund of each. Afterwards
 * what was refunded must be what was paid for the goods, to the cent.
 *
 *   node tools/replay.js fixtures/orders.json
 *   node tools/replay.js fixtures/orders.json --order ORD-1042
 *   node tools/replay.js fixtures/orders.json --totals
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cartFrom } from "../src/cart.js";
import { loadConfig } from "../src/config.js";
import { createLogger } from "../src/logger.js";
import { formatAmount } from "../src/money.js";
import { createService } from "../src/server.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { order: { type: "string" }, totals: { type: "boolean", default: false } },
});

const recorded = readJson(positionals[0] ?? "fixtures/orders.json");
const chosen = values.order ? recorded.filter((order) => order.id === values.order) : recorded;

let clock = new Date(0);
const logger = createLogger({
  level: values.totals ? "error" : values.order ? "debug" : "info",
  now: () => clock,
});
const config = loadConfig(process.env);
const mismatches = [];

for (const order of chosen) {
  clock = new Date(order.placedAt);
  const service = createService({
    config,
    products: readJson("fixtures/products.json"),
    customerRecords: readJson("fixtures/customers.json"),
    logger,
    now: () => clock,
    firstNumber: Number(order.id.slice("ORD-".length)),
  });
  replay(order, service);
}

function replay(order, { pricing, orders }) {
  const { customerId, couponCodes } = order;
  const quote = pricing.quote({ cart: cartFrom(order.lines), customerId, couponCodes, at: clock });
  const placed = orders.place(quote, { customerId, at: clock });
  orders.ship(placed.id);
  const refund = orders.refund(placed.id, { at: clock });
  const goods = placed.total - placed.shipping;
  if (values.totals) {
    console.log(`${placed.id} ${placed.total} ${refund.lines.map((line) => line.amount).join(",")}`);
  }
  if (refund.amount !== goods) {
    mismatches.push(placed.id);
    logger.warn("refund.mismatch", {
      id: placed.id,
      paid: formatAmount(goods),
      refunded: formatAmount(refund.amount),
      difference: refund.amount - goods,
    });
  }
}

if (!values.totals) {
  console.log(
    `\n${chosen.length} orders replayed, ${mismatches.length} with a refund that differs from what was paid`,
  );
  if (mismatches.length > 0) console.log(mismatches.join(" "));
}
process.exitCode = mismatches.length > 0 ? 1 : 0;

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}
