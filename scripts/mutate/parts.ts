/** A part of the code, and the tests that must notice when it is changed. */
export interface Part {
  /** The name that `npm run mutate -- <folder>` takes, as it takes a folder above. Each has a row of scores. */
  readonly folder: string;
  /** Files that are changed, one place at a time. */
  readonly mutate: readonly string[];
  /** Run in the order of the globs: those that notice most for the least time come first. */
  readonly tests: readonly string[];
}

/**
 * Every folder that `npm run mutate` tries. A folder of `core/` is judged by the tests of that folder
 * alone: a change of a table is tried with all of a part's tests, and few tests are quick.
 *
 * Left out is `core/manifest/validate.generated.js`: `npm run generate` makes it from
 * `core/manifest/fields.ts`, which is in, and a test compares the two byte for byte.
 */
export const PARTS: readonly Part[] = [
  // The files right in core/.
  {
    folder: "core/root",
    mutate: ["core/*.ts"],
    tests: ["test/core/!(bare-context).test.ts", "test/core/*.test.ts"],
  },
  folderOfCore("dawproject"),
  folderOfCore("findings"),
  folderOfCore("guess"),
  folderOfCore("layout"),
  folderOfCore("manifest", "warnings", "schema", "repairs"),
  // Without the tables of sentences: their words are data, and tests of the pages compare them.
  { ...folderOfCore("messages"), mutate: ["core/messages/*.ts"] },
  folderOfCore("panel"),
  folderOfCore("protocol"),
  folderOfCore("quotas"),
  folderOfCore("report"),
  folderOfCore("saved-package"),
  folderOfCore("text", "sentences"),
  folderOfCore("zip"),
  folderOfCore("audio", "refused", "accepted"),
  {
    folder: "relay/domain/root",
    mutate: ["relay/domain/*.ts", "relay/domain/ports/**/*.ts"],
    tests: ["test/relay/domain/**/*.test.ts"],
  },
  ...["admission", "packages", "pairing"].map((name) => folderOfDomain(name)),
  // Some of their use cases are tried with a whole relay.
  folderOfDomain("uploads", "test/relay/http/{partials,running-transfers,transfers-over}.test.ts"),
  folderOfDomain(
    "upkeep",
    "test/relay/{instance,clock-jumps-back}.test.ts",
    "test/relay/http/operator.test.ts",
  ),
  {
    folder: "addon/runs",
    mutate: ["addon/runs/**/*.ts"],
    tests: [
      // Those with sockets and whole imports come last.
      "test/addon/runs/!(download|import-again|import-crash|import-package|import-trouble).test.ts",
      "test/addon/runs/**/*.test.ts",
      // Lists, hosts and dismissals are tried with a whole importer.
      "test/addon/importer-{imports,dismiss,hosts,own-hosts,current-host,pages}.test.ts",
    ],
  },
];

/** Beside the slow tests those that try thousands of values or bytes: each change would wait for them. */
export const LEFT_OUT_TESTS = [
  "test/slow/**",
  "**/*.{slow,scaled,nightly}.test.ts",
  "test/core/**/{drivers,properties}.test.ts",
];

/** The parts that were named, by their folder or one above; all where none was. */
export function partsNamed(names: readonly string[]): readonly Part[] {
  const unknown = names.find((name) => !PARTS.some((part) => isNamed(part, name)));
  if (unknown !== undefined) {
    const known = PARTS.map(({ folder }) => folder).join(", ");
    throw new Error(`There is no folder ${unknown}. These are tried: ${known}.`);
  }
  return PARTS.filter((part) => names.length === 0 || names.some((name) => isNamed(part, name)));
}

function isNamed({ folder }: Part, name: string): boolean {
  return folder === name || folder.startsWith(`${name}/`);
}

function folderOfCore(name: string, ...first: readonly string[]): Part {
  return {
    folder: `core/${name}`,
    mutate: [`core/${name}/**/*.ts`],
    tests: [...first, "**/*"].map((test) => `test/core/${name}/${test}.test.ts`),
  };
}

/** Its own tests come first; the journeys of other folders notice some changes, too. */
function folderOfDomain(name: string, ...more: readonly string[]): Part {
  return {
    folder: `relay/domain/${name}`,
    mutate: [`relay/domain/${name}/**/*.ts`],
    tests: [`test/relay/domain/${name}/**/*.test.ts`, "test/relay/domain/**/*.test.ts", ...more],
  };
}
