import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadConfig, parsePromotions } from "../src/config.js";
import { promotion } from "../tools/memory-service.js";

const readEmpty = () => "{}";

describe("config", () => {
  it("has defaults", () => assert.equal(loadConfig({}, readEmpty).port, 8080));
  it("reads the environment", () => assert.equal(loadConfig({ PORT: "9000" }, readEmpty).port, 9000));
  it("takes an empty variable for a missing one", () =>
    assert.equal(loadConfig({ PORT: "" }, readEmpty).port, 8080));
  it("refuses a port that is no number", () => {
    assert.throws(() => loadConfig({ PORT: "http" }, readEmpty), /PORT must be a whole number/);
  });
  it("refuses a cap above 100 %", () => {
    assert.throws(() => loadConfig({ MAX_DISCOUNT_PERCENT: "120" }, readEmpty), /between 0 and 100/);
  });

  it("loads the promotions that ship with the service", () => {
    assert.doesNotThrow(() => loadConfig());
  });

  describe("parsePromotions", () => {
    it("sorts by priority", () => {
      const promotions = [
        promotion("percentage", { id: "b", percent: 5, priority: 20 }),
        promotion("percentage", { id: "a", percent: 5, priority: 10 }),
      ];
      const parsed = parsePromotions(JSON.stringify({ promotions }));
      assert.deepEqual(
        parsed.promotions.map(({ id }) => id),
        ["a", "b"],
      );
    });

    it("refuses an id that is listed twice", () => {
      const twice = promotion("percentage", { percent: 5 });
      assert.throws(() => parsePromotions(JSON.stringify({ promotions: [twice, twice] })), /listed twice/);
    });

    it("names the file that is not JSON", () => {
      assert.throws(() => parsePromotions("{", "promotions.json"), /promotions.json is not valid JSON/);
    });
  });
});
