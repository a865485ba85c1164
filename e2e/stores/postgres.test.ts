import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Issue } from "../../src/basics/issue.ts";
import { NO_WORK } from "../../src/facts/work-counts.ts";
import { openStore } from "../../src/stores/open-store.ts";
import { postgresStore } from "../../src/stores/postgres-store.ts";
import { softStore } from "../../src/stores/soft-store.ts";
import { MIGRATIONS } from "../../src/stores/sql.ts";
import type { JournalRow } from "../../src/stores/store.ts";
import { describeStore } from "../../test/stores/describe-store.ts";
import { ask, type PostgresServer, startPostgres } from "./postgres-server.ts";

const ROW: JournalRow = { key: "k", terms: { time: 1, model: "m" }, version: "0.2.0", config: "c" };

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.dispose());

describeStore(
  "PostgreSQL",
  async () => {
    const url = await server.createSchema();
    return { open: (options) => postgresStore({ url, ...options }), dispose: async () => {} };
  },
  { isShared: true },
);

describe("versions of the schema", () => {
  it("migrates forward with all data, ten at once", async () => {
    const url = await server.createSchema();
    const old = await postgresStore({ url });
    await old.writeRequest(ROW);
    const next = [...MIGRATIONS, ["ALTER TABLE coppice_boundaries ADD COLUMN extra text"]];
    const stores = await Promise.all(Array.from({ length: 10 }, () => postgresStore({ url }, next)));
    for (const store of stores) expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    expect(await ask(url, "SELECT version FROM coppice_schema")).toEqual([{ version: next.length }]);
    await Promise.all([old, ...stores].map((store) => store.close()));
  });
  it("brings version 1 forward, and its totals continue", async () => {
    const url = await server.createSchema();
    await (await postgresStore({ url }, MIGRATIONS.slice(0, 1))).close();
    await ask(
      url,
      "INSERT INTO coppice_sessions VALUES ('s', 'pi', NULL, NULL, 1, 2, 4e12, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 4)",
    );
    const store = await postgresStore({ url });
    const before = {
      requests: 3,
      paid: 0,
      pings: 0,
      arms: { pruned: 0, heldOut: 0 },
      cuts: 4,
      work: NO_WORK,
    };
    expect(await store.listSessions()).toMatchObject([before]);
    await store.addRequest({ session: "s", time: 3, tokensWith: 1, tokensWithout: 1, cost: 2, cuts: 0 });
    expect(await store.listSessions()).toMatchObject([{ requests: 4, paid: 1, cost: 2 }]);
    expect(await ask(url, "SELECT version FROM coppice_schema")).toEqual([{ version: MIGRATIONS.length }]);
    await store.close();
  });
  it("does all of a migration or nothing", async () => {
    const url = await server.createSchema();
    await (await postgresStore({ url })).close();
    const broken = [...MIGRATIONS, ["CREATE TABLE coppice_extra (a text)", "no SQL"]];
    await expect(postgresStore({ url }, broken)).rejects.toThrow("syntax error");
    expect(await ask(url, "SELECT to_regclass('coppice_extra') AS found")).toEqual([{ found: null }]);
    await (await postgresStore({ url })).close();
  });
  it("leaves a newer schema unchanged", async () => {
    const url = await server.createSchema();
    await (await postgresStore({ url })).close();
    await ask(url, "UPDATE coppice_schema SET version = 99");
    await expect(postgresStore({ url })).rejects.toThrow(
      "newer version of Coppice made the tables (schema version 99",
    );
    expect(await ask(url, "SELECT version FROM coppice_schema")).toEqual([{ version: 99 }]);
  });
  it("leaves tables of others alone that have its names", async () => {
    const url = await server.createSchema();
    await ask(url, "CREATE TABLE coppice_days (a text)");
    await expect(postgresStore({ url })).rejects.toThrow("coppice_days");
    const tables = "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema";
    expect(await ask(url, tables)).toEqual([{ table_name: "coppice_days" }]);
  });
  it("works for a role that may not change the schema", async () => {
    const url = await server.createSchema();
    await (await postgresStore({ url })).close();
    await ask(url, "CREATE ROLE clerk LOGIN");
    const schema = new URL(url).searchParams.get("search_path");
    await ask(url, `GRANT USAGE ON SCHEMA ${schema} TO clerk`);
    await ask(url, `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO clerk`);
    const store = await postgresStore({ url: url.replace("coppice@", "clerk@") });
    await store.writeRequest(ROW);
    expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    await store.close();
  });
});

describe("a server that goes", () => {
  it.each(["SIGINT", "SIGQUIT"] as const)(
    "and comes back (%s): told once, and it works again",
    async (signal) => {
      const url = await server.createSchema();
      const issues: Issue[] = [];
      const store = await openStore({ kind: "postgres", url }, { report: (issue) => issues.push(issue) });
      await store.writeRequest(ROW);
      await server.stop(signal);
      for (let i = 0; i < 20; i++) {
        await store.writeRequest({ ...ROW, key: `lost ${i}` });
        expect(await store.readRequests(["k"])).toEqual([]);
        expect(await store.listDays()).toEqual([]);
      }
      expect(issues).toMatchObject([{ code: "store-unavailable", severity: "warning" }]);
      await server.start();
      await expect.poll(() => store.readRequests(["k"])).toStrictEqual([ROW]);
      await store.writeRequest({ ...ROW, key: "after" });
      expect(await store.readRequests(["after"])).toMatchObject([{ key: "after" }]);
      expect(issues.length).toBe(1);
      await server.stop(signal);
      await store.writeAnswer("k", { model: "m" });
      expect(issues.length).toBe(2);
      await store.close();
      await server.start();
    },
  );
  it("in the middle of writes: what was acknowledged is there", async () => {
    const url = await server.createSchema();
    const store = await postgresStore({ url });
    const acknowledged: string[] = [];
    let isStopped = false;
    const write = async (name: string) => {
      for (let i = 0; !isStopped; i++) {
        const key = `${name}/${i}`;
        await store.writeRequest({ ...ROW, key }).then(
          () => acknowledged.push(key),
          () => new Promise((resolve) => setTimeout(resolve, 20)),
        );
      }
    };
    const writers = ["a", "b", "c"].map(write);
    for (let i = 0; i < 3; i++) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      await server.stop("SIGQUIT");
      await server.start();
    }
    isStopped = true;
    await Promise.all(writers);
    await expect.poll(async () => (await store.readRequests(acknowledged)).length).toBe(acknowledged.length);
    expect(acknowledged.length).toBeGreaterThan(10);
    await store.close();
  });
  it("in the middle of writes, again and again: nothing is thrown at the process", async () => {
    const url = await server.createSchema();
    const options = { report: () => {}, patience: 500, pause: 100 };
    const store = await softStore(() => postgresStore({ url }), options);
    const request = { session: "s", time: 0, tokensWith: 1, tokensWithout: 2, cuts: 0 };
    const backends =
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
    /** A connection of the store's: after an outage it pauses before it opens the next. */
    const findBackend = async (): Promise<number> => {
      const [backend] = await ask(url, backends);
      return backend ? Number(backend.pid) : wait(10).then(findBackend);
    };
    let asked = 0;
    for (let i = 0; i < 8; i++) {
      let isKilled = false;
      const write = async () => {
        for (; !isKilled; asked++) await store.addRequest(request);
      };
      const writing = Array.from({ length: 8 }, write);
      process.kill(await findBackend(), "SIGKILL");
      await wait(10);
      isKilled = true;
      await Promise.all(writing);
      await expect.poll(() => ask(url, "SELECT 1").catch(() => undefined)).toHaveLength(1);
    }
    // After an outage the store may pause once more between two questions: then one of the lists is empty.
    const lookUp = async () => {
      const [[day], [session]] = await Promise.all([store.listDays(), store.listSessions()]);
      return { day: day?.requests, session: session?.requests };
    };
    let found = await lookUp();
    await expect
      .poll(async () => {
        found = await lookUp();
        return Object.values(found);
      })
      .not.toContain(undefined);
    expect(found.day).toBe(found.session);
    expect(found.day).toBeLessThanOrEqual(asked);
    await store.close();
  });

  it("that is not there yet: a memory store, until it is", async () => {
    const url = await server.createSchema();
    await server.stop();
    const issues: Issue[] = [];
    const store = await softStore(() => postgresStore({ url }), {
      report: (issue) => issues.push(issue),
      pause: 50,
    });
    expect(issues.map(({ code }) => code)).toEqual(["store-unavailable"]);
    await store.writeRequest({ ...ROW, key: "early" });
    expect(await store.readRequests(["early"])).toMatchObject([{ key: "early" }]);
    await server.start();
    await expect
      .poll(async () => {
        await store.writeRequest(ROW);
        return ask(url, "SELECT key FROM coppice_boundaries ORDER BY key");
      })
      .toEqual([{ key: "early" }, { key: "k" }]);
    expect(issues.length).toBe(1);
    await store.close();
  });
  it("that gives no answer keeps nobody waiting", async () => {
    const url = await server.createSchema();
    const issues: Issue[] = [];
    const options = { report: (issue: Issue) => issues.push(issue), patience: 300, pause: 200 };
    const store = await softStore(() => postgresStore({ url }), options);
    await store.writeRequest(ROW);
    await ask(
      url,
      "CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(600); RETURN NEW; END'",
    );
    await ask(
      url,
      "CREATE TRIGGER hang BEFORE INSERT ON coppice_boundaries FOR EACH ROW EXECUTE FUNCTION hang()",
    );
    await store.writeRequest({ ...ROW, key: "hangs" });
    expect(issues).toMatchObject([{ message: expect.stringContaining("no answer within 0.3 s") }]);
    expect(await store.readRequests(["k"])).toEqual([]);
    await expect.poll(() => store.readRequests(["k"])).toStrictEqual([ROW]);
    await store.close();
  });
});

describe("what is told", () => {
  it.each([
    ["a wrong address", "postgres://somebody:hunter2@127.0.0.1:1/d"],
    ["a server that does not know the database", "BASE/nowhere"],
    ["no address at all", "postgres://somebody:hunter2@:::/"],
  ])("%s: no password", async (_, given) => {
    const base = (await server.createSchema())
      .replace("coppice@", "coppice:hunter2@")
      .replace(/\/postgres\?.*$/, "");
    const issues: Issue[] = [];
    const store = await openStore(
      { kind: "postgres", url: given.replace("BASE", base) },
      { report: (issue) => issues.push(issue) },
    );
    expect(issues).toMatchObject([{ code: "store-unavailable" }]);
    expect(JSON.stringify(issues)).not.toContain("hunter2");
    await store.writeRequest(ROW);
    expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    await store.close();
  });
});
