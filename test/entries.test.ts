import { readFileSync } from "node:fs";
import { build, type ImportKind, type Metafile } from "esbuild";
import { expect, test } from "vitest";

interface Package {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}
const {
  exports: entries,
  dependencies,
  peerDependencies,
  peerDependenciesMeta,
} = JSON.parse(readFileSync("package.json", "utf8")) as Package;

/**
 * The packages that an entry may load in addition to our own dependencies when it is imported; packages that are
 * loaded later do not count.
 */
const OWN_PEERS: Readonly<Record<string, readonly string[]>> = {
  "./langchain": ["langchain", "@langchain/core"],
};

/** In the files of every entry already: `scripts/bundle-entries.mjs`. */
const BUNDLED = ["@pydantic/genai-prices"];

const sources = Object.entries(entries).flatMap(([name, entry]) =>
  typeof entry === "string"
    ? []
    : [[name, entry.types.replace("./dist/", "src/").replace(".d.ts", ".ts")] as const],
);

/** With chunks, so that what is imported later, by need, is in a file of its own. */
async function bundle(entry: string): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    outdir: "out",
    packages: "external",
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  return metafile;
}

interface Import {
  readonly path: string;
  readonly kind: ImportKind | "file-loader";
  readonly external?: boolean;
}

/** The packages that are loaded together with a file. */
function packagesOf(imports: readonly Import[]): readonly string[] {
  return imports
    .filter(
      ({ kind, external, path }) => external && kind === "import-statement" && !path.startsWith("node:"),
    )
    .map(({ path }) =>
      path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/"),
    );
}

test.each(sources)("importing %s loads no other entry's peers", async (name, file) => {
  const { outputs } = await bundle(file);
  const loaded = Object.values(outputs).flatMap(({ imports }) => packagesOf(imports));
  const allowed = [...Object.keys(dependencies), ...BUNDLED, ...(OWN_PEERS[name] ?? [])];
  expect(loaded.filter((each) => !allowed.includes(each))).toEqual([]);
});

/** What a process of the command line loads that starts with this file. */
async function loadedBy(start: string) {
  const { outputs } = await bundle("src/cli/main.ts");
  const [first] = Object.values(outputs).filter(({ entryPoint }) => entryPoint === start);
  const chunks = [first];
  for (const chunk of chunks)
    for (const { path, kind, external } of chunk?.imports ?? [])
      if (kind === "import-statement" && !external && !chunks.includes(outputs[path]))
        chunks.push(outputs[path]);
  const packages = new Set(chunks.flatMap((chunk) => packagesOf(chunk?.imports ?? [])));
  return {
    packages: [...packages].sort(),
    files: chunks.flatMap((chunk) => Object.keys(chunk?.inputs ?? {})),
  };
}

test("coppice --version and --help load the parser of arguments and the colours, and none of the commands", async () => {
  const { packages, files } = await loadedBy("src/cli/start-cli.ts");
  expect(packages).toEqual(["commander", "picocolors"]);
  expect(files).toContain("src/cli/commands.ts");
  expect(files.length).toBeLessThan(20);
});

test("coppice statusline loads no package, and little else", async () => {
  const { packages, files } = await loadedBy("src/cli/statusline.ts");
  expect(packages).toEqual([]);
  expect(files).toContain("src/cli/statusline.ts");
  expect(files.length).toBeLessThan(8);
});

test("every peer is optional, and those of entries are peers", () => {
  expect(sources.length).toBeGreaterThan(12);
  const peers = Object.keys(peerDependencies);
  expect(peers.filter((peer) => !peerDependenciesMeta[peer]?.optional)).toEqual([]);
  expect(peers).toEqual(expect.arrayContaining(Object.values(OWN_PEERS).flat()));
});
