// Adds to package-lock.json the optional packages of other platforms that a partial registry mirror does not carry:
// `npm ci` refuses a lock file without them, and whoever is on such a platform needs them. Run after `npm install`
// where the mirror is partial; on the public registry it finds nothing to add.
import { readFileSync, writeFileSync } from "node:fs";

const SYSTEMS = [
  "aix",
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
];
const PROCESSORS = [
  "arm64",
  "arm",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
];

const file = process.argv[2] ?? "package-lock.json";
const lock = JSON.parse(readFileSync(file, "utf8"));
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, range] of Object.entries(entry.optionalDependencies ?? {})) {
    const nested = `${path}/node_modules/${name}`;
    const top = `node_modules/${name}`;
    if (lock.packages[nested] || lock.packages[top]) continue;
    lock.packages[top] = describe(name, range, entry.dev);
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${file}: ${added} packages of other platforms added`);

/** Enough for npm to know that it is not for this platform. */
function describe(name, range, dev) {
  const words = name.split(/[-/]/);
  const processor = PROCESSORS.find((each) =>
    words.some((word) => word === each || (each === "arm" && word === "gnueabihf")),
  );
  const system = name === "fsevents" ? "darwin" : SYSTEMS.find((each) => words.includes(each));
  if (!system && !processor) throw new Error(`${name}: not a package of a platform; add it by hand`);
  return {
    version: range.replace(/^[~^>=]+/, ""),
    ...(processor && { cpu: [processor] }),
    ...(dev && { dev: true }),
    ...(system === "linux" && { libc: [name.includes("musl") ? "musl" : "glibc"] }),
    optional: true,
    ...(system && { os: [system] }),
  };
}
