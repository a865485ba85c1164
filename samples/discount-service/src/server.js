import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createCatalog } from "./catalog.js";
import { loadConfig } from "./config.js";
import { createCoupons } from "./coupons.js";
import { createCustomers } from "./customers.js";
import { createRouter } from "./http/router.js";
import { addRoutes } from "./http/routes.js";
import { createLogger } from "./logger.js";
import { createOrders } from "./orders.js";
import { createPricing } from "./pricing.js";

/** Everything wired together; `now` and `logger` can be replaced for tests and replays. */
export function createService({
  config,
  products,
  customerRecords,
  logger,
  now = () => new Date(),
  firstNumber,
}) {
  const catalog = createCatalog(products);
  const customers = createCustomers(customerRecords);
  const coupons = createCoupons(config.coupons);
  const pricing = createPricing({ config, catalog, customers, coupons, logger });
  const orders = createOrders({ coupons, customers, logger, firstNumber });
  const router = createRouter({ logger });
  addRoutes(router, { pricing, orders, now });
  return { catalog, customers, coupons, pricing, orders, router };
}

function main() {
  const config = loadConfig(process.env);
  const logger = createLogger({ level: config.logLevel });
  const service = createService({
    config,
    products: readJson("fixtures/products.json"),
    customerRecords: readJson("fixtures/customers.json"),
    logger,
  });
  const server = createServer(service.router.listener());
  server.listen(config.port, () => logger.info("server.listening", { port: config.port }));
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.on(signal, () => {
      logger.info("server.closing", { signal });
      server.close();
    });
  }
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

if (import.meta.url === `file://${process.argv[1]}`) main();
