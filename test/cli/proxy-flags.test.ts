import { Command } from "commander";
import { describe, expect, test } from "vitest";
import { addProxyFlags, type ProxyFlags, toProxyOptions } from "../../src/cli/proxy-flags.ts";

function read(...args: readonly string[]) {
  const command = addProxyFlags(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  return toProxyOptions(command.parse(args, { from: "user" }).opts<ProxyFlags>());
}

describe("the options of both proxy and wrap", () => {
  test("nothing is held out or sent again unless requested", () => {
    expect(read()).toEqual({ upstreams: {}, keepWarm: false });
  });

  test.each<[readonly string[], object]>([
    [["--holdout", "10"], { holdout: 10 }],
    [["--keep-warm"], { keepWarm: true }],
    [["--keep-warm", "--keep-warm-subscription"], { keepWarm: "with-subscriptions" }],
    [
      ["--upstream", "a=http://127.0.0.1:1/x", "--upstream", "b=https://b.example"],
      { upstreams: { a: "http://127.0.0.1:1/x", b: "https://b.example" } },
    ],
  ])("%j", (args, expected) => {
    expect(read(...args)).toMatchObject(expected);
  });

  test.each<[readonly string[], RegExp]>([
    [["--keep-warm-subscription"], /needs --keep-warm/],
    [["--holdout", "0"], /between 0 and 100/],
    [["--holdout", "100"], /between 0 and 100/],
    [["--holdout", "ten"], /between 0 and 100/],
    [["--upstream", "https://a.example"], /name=https:\/\/address/],
    [["--upstream", "a=ftp://a.example"], /name=https:\/\/address/],
  ])("%j is refused with a sentence", (args, message) => {
    expect(() => read(...args)).toThrow(message);
  });
});
