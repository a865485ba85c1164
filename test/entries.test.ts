import { readFileSync } from "node:fs";
import { build } from "esbuild";
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

const sources = Object.entries(entries).flatMap(([name, entry]) =>
  typeof entry === "string"
    ? []
    : [[name, entry.types.replace("./dist/", "src/").replace(".d.ts", ".ts")] as const],
);

test.each(sources)("importing %s loads no other entry's peers", async (name, file) => {
  const { metafile } = await build({
    entryPoints: [file],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const loaded = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(
      ({ kind, external, path }) => external && kind === "import-statement" && !path.startsWith("node:"),
    )
    .map(({ path }) =>
      path
        .split("/")
        .slice(0, path.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  const allowed = [...Object.keys(dependencies), ...(OWN_PEERS[name] ?? [])];
  expect(loaded.filter((each) => !allowed.includes(each))).toEqual([]);
});

test("every peer is optional, and those of entries are peers", () => {
  expect(sources.length).toBeGreaterThan(12);
  const peers = Object.keys(peerDependencies);
  expect(peers.filter((peer) => !peerDependenciesMeta[peer]?.optional)).toEqual([]);
  expect(peers).toEqual(expect.arrayContaining(Object.values(OWN_PEERS).flat()));
});
