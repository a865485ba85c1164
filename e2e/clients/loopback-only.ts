import { networkInterfaces } from "node:os";

/** Nothing that these programs send may leave the machine. */
const others = Object.keys(networkInterfaces()).filter((name) => name !== "lo");
if (others.length > 0)
  throw new Error(`There is a network (${others.join(", ")}): run these tests by \`npm run e2e:clients\`.`);
