import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redact, redactValue } from "../../src/redaction/redact.ts";

const hex = "9f8e7d6c5b4a39281706f5e4d3c2b1a0";
const long = `${hex}${hex}`.slice(0, 40);

/** Made up here, in the forms that their makers document. */
const SECRETS: readonly string[] = [
  `sk-ant-api03-${long}`,
  `sk-proj-${long}`,
  `sk-${long}`,
  `sk_live_${hex}`,
  `ghp_${long}`,
  `github_pat_${long}`,
  `glpat-${hex.slice(0, 20)}`,
  `xoxb-1234567890-${hex}`,
  "AKIAIOSFODNN7EXAMPLE",
  `AIza${long.slice(0, 35)}`,
  `npm_${long}`,
  `hf_${long}`,
  `SG.${hex}.${hex}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${hex}`,
];

describe("redact", () => {
  test.each(SECRETS)("masks %s in prose, code, JSON and JSON in JSON", (secret) => {
    for (const text of [
      secret,
      `use ${secret}, please`,
      `first line\n${secret}`,
      `const k = "${secret}";`,
      JSON.stringify({ a: `x\n${secret}` }),
      JSON.stringify({ arguments: JSON.stringify({ a: `\n${secret}\n` }) }),
    ]) {
      expect(redact(text)).not.toContain(secret.slice(-12));
      expect(redact(text)).toContain("[redacted]");
    }
  });

  const cases: readonly (readonly [string, string])[] = [
    [`Authorization: Bearer ${hex}`, "Authorization: Bearer [redacted]"],
    ["Authorization: Basic dXNlcjpwYXNzMTIz==", "Authorization: Basic [redacted]"],
    ["export API_KEY=9f8e7d6c5b4a", "export API_KEY=[redacted]"],
    ["DB_PASSWORD: hunter2hunter2", "DB_PASSWORD: [redacted]"],
    ['{"client_secret":"correct-horse"}', '{"client_secret":"[redacted]"}'],
    ['{\\"api_key\\": \\"correct-horse\\"}', '{\\"api_key\\": \\"[redacted]\\"}'],
    ["postgres://app:s3cret@db.local/shop", "postgres://app:[redacted]@db.local/shop"],
    ["mail ada@shop.example.com now", "mail [e-mail] now"],
    ["/home/ada/shop/src/cart.ts", "~/shop/src/cart.ts"],
    ["cwd:/home/ada", "cwd:~"],
    ["/Users/ada.l/shop", "~/shop"],
    ["file:///home/ada/x", "file://~/x"],
    ["[also names home/ada/shop, I/home/ada/include]", "[also names ~/shop, ~/include]"],
    ["…; also names mnt/c/Users/ada/shop, home-ada-shop, 2Fada]", "…; also names ~/shop, ~-shop, ~]"],
    ["C:\\Users\\ada\\shop", "~\\shop"],
    ['{"cwd":"C:\\\\Users\\\\ada\\\\shop"}', '{"cwd":"~\\\\shop"}'],
    ["/mnt/c/Users/ada/shop", "~/shop"],
    ["cd /root && ls /root/x", "cd ~ && ls ~/x"],
    ["x/.claude/projects/-home-ada-shop/a.jsonl", "x/.claude/projects/-~-shop/a.jsonl"],
    ['{"t":"a\\nbob@shop.example.com"}', '{"t":"a\\n[e-mail]"}'],
    ['{"t":"a\\n/home/bob/x"}', '{"t":"a\\n~/x"}'],
  ];
  test.each(cases)("%s", (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  test("a private key is masked completely, even one that is cut off or escaped", () => {
    const lines = Array.from({ length: 4 }, () => long.slice(0, 32));
    const key = ["-----BEGIN RSA PRIVATE KEY-----", ...lines, "-----END RSA PRIVATE KEY-----"].join("\n");
    expect(redact(`a\n${key}\nb`)).toBe("a\n[redacted]\nb");
    expect(redact(JSON.stringify(key))).toBe('"[redacted]"');
    const apart = JSON.stringify(["-----BEGIN PRIVATE KEY-----", "kept", "-----END PRIVATE KEY-----"]);
    expect(JSON.parse(redact(apart))).toEqual(["[redacted]", "kept", "[redacted]"]);
    expect(redact(key.slice(0, 100))).not.toContain(hex.slice(0, 16));
    expect(redact(`the end:\n${key.slice(100)}`)).toBe("the end:\n[redacted]");
    expect(redact(JSON.stringify(`the end:\n${key.slice(100)}`))).toBe('"the end:\\n[redacted]"');
  });

  test.each([
    "const token = readToken(source);",
    "password: string;",
    "apiKey: process.env.API_KEY,",
    'secret = "$SECRET"',
    '{"max_tokens":4096,"password":null,"secret":12345678901}',
    "git@github.com:coppice/coppice.git",
    "src/home/index.ts and https://shop.example/home/feed",
    "react@18.2.0 and @scope/pkg@1.0.0",
    "sk-learn, task-list, ghp_short",
    "https://localhost:8080/a@b",
    "/rootfs /home",
    "The bearer of this letter is old.",
  ])("leaves %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  const pieces = fc.constantFrom(
    ...SECRETS,
    ...cases.map(([text]) => text),
    "\n",
    "\\",
    '"',
    "-----BEGIN PRIVATE KEY-----",
    "password=",
    "a@b.cd",
    "/home/",
    " ",
  );
  const texts = fc.array(fc.oneof(pieces, fc.string({ maxLength: 6 })), { maxLength: 8 });

  test("JSON stays JSON, and twice is once", () => {
    fc.assert(
      fc.property(texts, (parts) => {
        const once = redact(parts.join(" "));
        expect(redact(once)).toBe(once);
        const text = parts.join("");
        const nested = JSON.stringify({ [text]: [text, { arguments: JSON.stringify({ text }) }] });
        const parsed: unknown = JSON.parse(redact(nested));
        expect(parsed).toBeTypeOf("object");
      }),
      { numRuns: 400 },
    );
  });

  test("a megabyte of one character does no harm", () => {
    for (const sign of ["a", "@", "/", "\\", "-", "\n", "a.", "sk-", "password=", "://"]) {
      expect(redact(sign.repeat(1_000_000 / sign.length)).length).toBeGreaterThan(0);
    }
  });
});

test("values are redacted in their strings and keys, and nowhere else", () => {
  expect(redactValue({ "/home/ada/x": [1, null, true, "/home/ada/y"] })).toEqual({
    "~/x": [1, null, true, "~/y"],
  });
});
