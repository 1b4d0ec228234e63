/** A part of the nightly tests. It should take at most a quarter of an hour on two cores. */
export interface Part {
  readonly name: string;
  /** For the table of docs/build/testing.md. */
  readonly proves: string;
  /** Globs of the nightly test files that it runs. */
  readonly tests?: readonly string[];
  /** Further test files, which CI runs in a short form. */
  readonly wholeForms?: readonly string[];
  /** Further npm scripts with their words, which run after the tests. */
  readonly scripts?: readonly (readonly string[])[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Test files that run at once; 1 where they compare times. Two by default. */
  readonly workers?: number;
  /** A change of a file below one of these paths may break what the part proves. */
  readonly watches: readonly string[];
}

const RELAY = ["relay/", "core/"];
const ENGINES = [
  "relay/open-scaled.ts",
  "relay/limits/",
  "relay/notify/",
  "relay/storage/",
  "scaled/",
];
const PAGES = ["web/", "addon/panel/", "relay/page/", "tools/preview/page/", "core/messages/"];

/** `npm run test:nightly` runs them in this order. Each `*.nightly.test.ts` belongs to exactly one. */
export const NIGHTLY_PARTS: readonly Part[] = [
  {
    name: "crash",
    proves:
      "a relay and an importer that are killed again and again lose nothing that was acknowledged",
    tests: ["test/relay/crash/**"],
    scripts: [["crash", "--minutes", "10"]],
    watches: [...RELAY, "addon/", "test/crash/"],
  },
  {
    name: "stops",
    proves: "a relay that ends at any call to its stores keeps what it answered",
    tests: ["test/relay/stops/**"],
    watches: ["relay/domain/", "relay/storage/", "test/relay/stops/"],
  },
  {
    name: "power-cuts",
    proves: "a power cut at any call to the disk loses nothing that was flushed",
    tests: ["test/addon/power-cuts/**", "test/addon/hosts/**", "test/relay/storage/disk/**"],
    watches: ["addon/disk/", "addon/runs/", "addon/state/", "addon/hosts/", "relay/storage/disk/"],
  },
  {
    name: "faults",
    proves: "each fault of disk, database, clock and network is met as the rules say",
    tests: ["test/relay/{lost-database,restart}/**"],
    wholeForms: ["test/faults/*.slow.test.ts"],
    watches: [...RELAY, "addon/relay/", "test/faults/"],
  },
  {
    name: "stores",
    proves:
      "random races and planted faults are noticed on SQLite and the disk, and no wrong state is reached",
    tests: ["test/relay/storage/sqlite/**", "test/relay/testing/**", "test/model/**"],
    scripts: [["model", "--steps", "300000"]],
    watches: ["relay/domain/", "relay/storage/", "relay/testing/", "test/model/"],
  },
  {
    name: "scaled-stores",
    proves: "the same on PostgreSQL, directly and through pgbouncer, and on S3",
    tests: ["test/relay/storage/{postgres,s3}/**"],
    wholeForms: ["test/relay/storage/postgres/{postgres-records,opening}.scaled.test.ts"],
    watches: ["relay/domain/", "relay/testing/", ...ENGINES],
  },
  {
    name: "scaled-failures",
    proves:
      "several relays lose nothing when one part after the other fails, is replaced or killed",
    tests: [
      "test/scaled/failures/{failures,rolling-restart,notices-losses}.*",
      "test/scaled/{dev,engines}/**",
    ],
    workers: 1,
    scripts: [["crash", "--scaled", "--minutes", "4"]],
    watches: [...ENGINES, "relay/domain/", "test/scaled/", "deploy/"],
  },
  {
    name: "starts-and-stops",
    proves: "relays that stop and are killed 80 times leave nothing behind",
    tests: ["test/scaled/failures/starts-and-stops.*"],
    environment: { STOPS: "80" },
    watches: [...ENGINES, "relay/operating/", "test/scaled/"],
  },
  {
    name: "abuse",
    proves:
      "strangers can't take what belongs to others, and each attack notices a server that lets them",
    tests: ["test/abuse/**"],
    scripts: [["abuse"]],
    watches: ["relay/http/", "relay/domain/", "relay/limits/", "test/abuse/"],
  },
  {
    name: "abuse-scaled",
    proves: "nor from three relays behind haproxy",
    scripts: [["abuse", "--scaled"]],
    watches: [...ENGINES, "relay/http/", "test/abuse/"],
  },
  {
    name: "conformance",
    proves: "the conformance kit names each broken rule, and no other",
    tests: ["test/tools/**", "test/scaled/conformance.*"],
    watches: ["tools/", "relay/http/", "core/protocol/", "test/tools/"],
  },
  {
    name: "pages",
    proves:
      "every state of every page is accessible at every width, and nothing moves under the pointer",
    tests: ["test/{pages,panel,page}/**", "test/web/*"],
    wholeForms: [
      "test/pages/accessibility.slow.test.ts",
      "test/panel/panel-{states,still}.slow.test.ts",
      "test/page/page-stillness.slow.test.ts",
    ],
    watches: [...PAGES, "scripts/pictures/"],
  },
  {
    name: "playing",
    proves: "loops keep their time and pitch at another tempo, and scenes play together",
    tests: ["test/web/playback/**", "test/preview/**"],
    wholeForms: ["test/preview/playback.slow.test.ts"],
    environment: { SOUNDFERRY_PRINT_FIGURES: "1" },
    watches: ["web/", "tools/preview/"],
  },
  {
    name: "clients",
    proves: "clients resume largest uploads, keep packages over reloads and hash beside other work",
    tests: ["test/client/**", "test/relay/http/partials.*"],
    workers: 1,
    watches: ["client/", "python/", "packages/", "relay/http/"],
  },
  {
    name: "sites",
    proves:
      "proxies and doctor work through the longest silence, and relays are replaced, backed up and restored under load",
    tests: ["test/deploy/**", "test/cli/**", "test/relay/operating/**"],
    wholeForms: ["test/cli/doctor/relay/{nginx,faults}.slow.test.ts"],
    watches: ["deploy/", "cli/doctor/", "relay/http/", "relay/operating/"],
  },
  {
    name: "live",
    proves:
      "the script in Live survives an end and a refusal at every call, and the fake Live is right",
    tests: ["test/remote-script/**"],
    wholeForms: ["test/remote-script/*.slow.test.ts"],
    watches: ["addon/hosts/live/", "addon/extension/", "test/remote-script/"],
  },
  {
    name: "dawproject",
    proves: "each fixture becomes a DAWproject that others read",
    wholeForms: ["test/dawproject/*.slow.test.ts"],
    watches: ["addon/hosts/dawproject/", "core/layout/", "tools/layout/", "test/dawproject/"],
  },
  {
    name: "packages",
    proves: "what is published installs and works elsewhere",
    tests: ["test/{packages,app,python,fixtures}/**"],
    watches: ["packages/", "python/", "scripts/", "package.json", "package-lock.json"],
  },
  {
    name: "docs",
    proves: "the examples and the pages that start with them do what they say",
    tests: ["test/{docs,examples}/**", "test/relay/http/docs-viewer.*"],
    wholeForms: ["test/e2e/preview-is-placed.slow.test.ts"],
    watches: [
      "docs/",
      "examples/",
      "client/",
      "python/",
      "tools/layout/",
      "core/layout/",
      "addon/hosts/preview/",
    ],
  },
  {
    name: "fuzz",
    proves:
      "no damaged input takes too long, too much memory, or fails otherwise than as documented",
    tests: ["test/fuzz/**"],
    scripts: [
      ["test", "test/core"],
      ["fuzz", "--minutes", "10"],
    ],
    watches: [
      "core/wav/",
      "core/aiff/",
      "core/manifest/",
      "core/text/",
      "addon/",
      "relay/",
      "test/fuzz/",
    ],
  },
  mutations("manifest", ["core/manifest"]),
  mutations(
    "core",
    ["root", "aiff", "guess", "instance", "layout", "messages"].map((one) => `core/${one}`),
  ),
  mutations(
    "text",
    ["page", "protocol", "quotas", "text", "wav"].map((one) => `core/${one}`),
  ),
  ...["folders", "a-f", "g-o", "p-q", "r", "s-z"].map((some) =>
    mutations(`domain-${some}`, [`relay/domain/${some}`]),
  ),
  mutations("runs", ["addon/runs"]),
  benches(
    "relay",
    ["upload", "upload-many", "status", "announce", "notice", "sweep", "restart", "sockets"],
    ["relay/", "core/"],
  ),
  benches(
    "importer",
    ["import", "gained-copy", "library", "place", "pages", "hash"],
    ["addon/", "web/", "client/"],
  ),
  benches("scaled", ["limits", "scaled-cost", "scaled-curve", "package-cost"], ENGINES),
];

function mutations(name: string, folders: readonly string[]): Part {
  return {
    name: `mutate-${name}`,
    proves: `tests notice changes of ${folders.join(", ")}`,
    scripts: [["mutate", ...folders]],
    watches: folders.map(watchedBelow),
  };
}

function watchedBelow(folder: string): string {
  if (folder === "core/root") return "core/settings.ts";
  return folder.startsWith("relay/domain/") ? "relay/domain/" : `${folder}/`;
}

function benches(name: string, measures: readonly string[], watches: readonly string[]): Part {
  return {
    name: `bench-${name}`,
    proves: `speed next to bare baselines: ${measures.join(", ")}`,
    scripts: [["bench", ...measures]],
    watches: [...watches, ...measures.map((measure) => `bench/measures/${measure}.ts`)],
  };
}
