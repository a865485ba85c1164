import { writeSync } from "node:fs";
import { postgresStore } from "../../src/stores/postgres-store.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import { answerTo, requestOf, rowOf } from "./written.ts";

// A process that writes until it has written enough, or is killed. Each line that it prints is a write that was acknowledged.
//   node writer.mjs PLACE NAME COUNT          rows, answers and requests of its own
//   node writer.mjs PLACE NAME COUNT shared   rows under keys that all writers share
const [place = "", name = "", count = "", mode = ""] = process.argv.slice(2);
const say = (line: string) => writeSync(1, `${line}\n`);

const store = await (place.startsWith("postgres:")
  ? postgresStore({ url: place })
  : sqliteStore({ path: place }));
say("open");
for (let i = 0; i < Number(count); i++) {
  const row = rowOf(name, i);
  if (mode === "shared") {
    await store.writeRequest({ ...row, key: `shared/${i}` });
    const [seen] = await store.readRequests([`shared/${i}`]);
    say(JSON.stringify(seen));
    continue;
  }
  await store.writeRequest(row);
  say(`row ${i}`);
  await store.writeAnswer(row.key, answerTo(i));
  say(`answer ${i}`);
  await store.addRequest(requestOf(name, i));
  say(`request ${i}`);
}
await store.close();
