import fc from "fast-check";

/** A secret, and a text or a value that contains it and identifies it. */
export interface Plant {
  readonly secret: string;
  readonly text: string;
}

/** A field of a tool's input, of any depth. */
export interface PlantedField {
  readonly secrets: readonly string[];
  readonly name: string;
  readonly value: unknown;
}

const word = (alphabet: string, min: number, max = min): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...alphabet), { minLength: min, maxLength: max }).map((signs) => signs.join(""));

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const ALNUM = `${LOWER}${UPPER}${DIGITS}`;
const alnum = (min: number, max = min) => word(ALNUM, min, max);
const base64 = (length: number) => word(`${ALNUM}+/`, length);
/** Begins with a letter: a `-` would be a flag, a `$` a variable. */
const after = (start: fc.Arbitrary<string>, rest: fc.Arbitrary<string>) =>
  fc.tuple(start, rest).map(([first, more]) => first + more);
/** In a shell, without quotes. */
const password = after(alnum(2), word(`${ALNUM}!#%*+,.:=?@^_~-`, 8, 20));
/** Between quotes of JSON, anything is allowed. */
const anything = after(alnum(2), word(`${ALNUM} "'\\/\n:;,{}[]()$@ü`, 12, 24));
const inUrl = after(alnum(2), word(`${ALNUM}!*+,.=_~%-`, 8, 20));
const user = word(LOWER, 9, 12);

const form = (secret: fc.Arbitrary<string>, write: (secret: string) => string): fc.Arbitrary<Plant> =>
  secret.map((each) => ({ secret: each, text: write(each) }));

const wrap = (text: string, width = 64): string =>
  text.match(new RegExp(`.{1,${width}}`, "g"))?.join("\n") ?? "";

/** One for each kind of secret that the rules know, made up here. */
export const FORMS: Readonly<Record<string, fc.Arbitrary<Plant>>> = {
  "env token": form(password, (s) => `export DEPLOY_TOKEN=${s}`),
  "env key": form(password, (s) => `STRIPE_KEY=${s}`),
  "env secret": form(password, (s) => `APP_SECRET='${s}'`),
  "env password": form(password, (s) => `PGPASSWORD=${s} psql shop`),
  "env, quoted": form(after(alnum(2), word(`${ALNUM} !#*'`, 10, 20)), (s) => `DB_PASSWORD="${s}"`),
  "JSON token": form(anything, (s) => JSON.stringify({ user: "ada", token: s }, null, 2)),
  "JSON in a line": form(alnum(12), (s) => `sent {"api_key": "${s}"} to the server`),
  YAML: form(alnum(12), (s) => `db:\n  user: ada\n  password: ${s}\n  port: 5432`),
  "a container's": form(password, (s) => `- name: DB_PASSWORD\n  value: ${s}`),
  cookie: form(alnum(16), (s) => `Cookie: theme=dark; sid=${s}`),
  "set-cookie": form(alnum(16), (s) => `< Set-Cookie: sid=${s}; Path=/; HttpOnly`),
  bearer: form(alnum(24), (s) => `curl -H 'Authorization: Bearer ${s}' https://shop.example`),
  basic: form(base64(24), (s) => `Authorization: Basic ${s}`),
  "--password": form(password, (s) => `mysqldump --user ada --password ${s} shop`),
  "--token=": form(password, (s) => `deploy --token=${s} --force`),
  "curl -u": form(password, (s) => `curl -s -u ada:${s} https://shop.example/api`),
  "mysql -p": form(password, (s) => `mysql -u ada -p${s} shop -e 'show tables'`),
  sshpass: form(password, (s) => `sshpass -p ${s} ssh ada@10.0.0.1`),
  "docker login": form(password, (s) => `docker login -u ada -p ${s} registry.example`),
  url: form(inUrl, (s) => `postgres://app:${s}@db.local:5432/shop`),
  query: form(alnum(20), (s) => `https://shop.example/file?id=3&sig=${s}&x=1`),
  "kube key": form(base64(80), (s) => `    client-key-data: ${s}==\n    client: ada`),
  telegram: form(alnum(35), (s) => `https://api.telegram.org/bot123456789:${s}/getMe`),
  slack: form(alnum(24), (s) => `using xoxb-123456789012-${s} now`),
  discord: form(alnum(27), (s) => `client.login("MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcDe.${s}")`),
  openai: form(alnum(40), (s) => `key sk-proj-${s}, ok`),
  anthropic: form(alnum(60), (s) => `key: sk-ant-api03-${s}`),
  google: form(alnum(35), (s) => `?key=AIza${s}`),
  aws: form(word(`${UPPER}${DIGITS}`, 16), (s) => `AKIA${s} is active`),
  "aws secret": form(base64(40), (s) => `aws_secret_access_key = A1${s}`),
  github: form(alnum(36), (s) => `remote: https://ghp_${s}@github.com/ada/shop`),
  gitlab: form(alnum(20), (s) => `PRIVATE-TOKEN: glpat-${s}`),
  npm: form(alnum(36), (s) => `//registry.npmjs.org/:_authToken=npm_${s}`),
  stripe: form(alnum(24), (s) => `stripe.api_key = "sk_live_${s}"`),
  "web token": form(alnum(40), (s) => `id eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${s} end`),
  PEM: form(base64(400), (s) => `-----BEGIN RSA PRIVATE KEY-----\n${wrap(s)}\n-----END RSA PRIVATE KEY-----`),
  "e-mail": form(word(LOWER, 10), (s) => `mail ${s}@shop.example.com about it`),
  "/home": form(user, (s) => `cd /home/${s}/shop && gcc -I/home/${s}/include`),
  "/Users": form(user, (s) => `file:///Users/${s}/shop/a.ts`),
  "C:\\Users": form(user, (s) => `C:\\Users\\${s}\\shop\\a.ts`),
  "home in a url": form(user, (s) => `https://ide.example/?folder=%2Fhome%2F${s}%2Fshop`),
  "home with dashes": form(user, (s) => `ls ~/.claude/projects/-home-${s}-shop`),
};

export const plants: fc.Arbitrary<Plant> = fc.constantFrom(...Object.values(FORMS)).chain((each) => each);

const field = (
  secrets: fc.Arbitrary<readonly string[]>,
  name: string,
  value: (secrets: readonly string[]) => unknown,
): fc.Arbitrary<PlantedField> => secrets.map((each) => ({ secrets: each, name, value: value(each) }));

/** Secrets that only the structure of an input identifies. */
export const plantedFields: fc.Arbitrary<PlantedField> = fc.oneof(
  field(fc.tuple(anything, anything), "env", ([a, b]) => ({
    GITHUB_TOKEN: a,
    nested: [{ client_secret: b }],
  })),
  field(fc.tuple(anything, anything), "headers", ([a, b]) => ({
    Authorization: `Bearer ${a}`,
    Cookie: `sid=${b}`,
  })),
  field(fc.tuple(password), "args", ([a]) => ["curl", "-s", "-u", `ada:${a}`, "https://shop.example"]),
  field(fc.tuple(password), "words", ([a]) => ["deploy", "--password", a]),
  field(fc.tuple(anything), "body", ([a]) => JSON.stringify({ login: { password: a } })),
  field(fc.tuple(anything), "variables", ([a]) => [{ name: "DB_PASSWORD", value: a }]),
  field(fc.tuple(user), "cwd", ([a]) => `/home/${a}/shop`),
  plants.map(({ secret, text }) => ({ secrets: [secret], name: "note", value: { deep: [text] } })),
);
