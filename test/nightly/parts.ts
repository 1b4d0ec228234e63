/** A part of the nightly tests. It should take at most a quarter of an hour on two cores. */
export interface Part {
  readonly name: string;
  /** Shown by `--list`. */
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
  "test/engines/",
];
const PAGES = ["pages/kit/", "pages/panel/", "pages/send/", "pages/preview/", "core/messages/"];

/** `npm run test:nightly` runs them in this order. Each `*.nightly.test.ts` belongs to exactly one. */
export const NIGHTLY_PARTS: readonly Part[] = [
  {
    name: "crash",
    proves:
      "a relay and an importer that are killed again and again lose nothing that was acknowledged",
    tests: ["test/relay/crash/**"],
    scripts: [["crash", "--minutes", "10"]],
    watches: [...RELAY, "addon/", "test/sim/crash/"],
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
    tests: ["test/addon/power-cuts/**", "test/addon/hosts/*", "test/relay/storage/disk/**"],
    watches: ["addon/disk/", "addon/runs/", "addon/state/", "addon/hosts/", "relay/storage/disk/"],
  },
  {
    name: "faults",
    proves: "each fault of disk, database, clock and network is met as the rules say",
    tests: ["test/relay/{lost-database,restart}/**"],
    wholeForms: ["test/sim/faults/*.slow.test.ts"],
    watches: [...RELAY, "addon/relay/", "test/sim/faults/"],
  },
  {
    name: "stores",
    proves:
      "random races and planted faults are noticed on SQLite and the disk, and no wrong state is reached",
    tests: ["test/relay/storage/sqlite/**", "test/relay/testing/**", "test/sim/model/**"],
    scripts: [["model", "--steps", "300000"]],
    watches: ["relay/domain/", "relay/storage/", "test/contracts/relay/", "test/sim/model/"],
  },
  {
    name: "scaled-stores",
    proves: "the same on PostgreSQL, directly and through pgbouncer, and on S3",
    tests: ["test/relay/storage/{postgres,s3}/**"],
    wholeForms: ["test/relay/storage/postgres/{postgres-records,opening}.scaled.test.ts"],
    watches: ["relay/domain/", "test/contracts/relay/", ...ENGINES],
  },
  {
    name: "scaled-failures",
    proves:
      "several relays lose nothing when one part after the other fails, is replaced or killed",
    tests: [
      "test/engines/failures/{failures,rolling-restart,notices-losses}.*",
      "test/engines/{dev/**,!(conformance)*}",
    ],
    workers: 1,
    scripts: [["crash", "--scaled", "--minutes", "4"]],
    watches: [...ENGINES, "relay/domain/", "test/engines/", "relay/deploy/"],
  },
  {
    name: "starts-and-stops",
    proves: "relays that stop and are killed 80 times leave nothing behind",
    tests: ["test/engines/failures/starts-and-stops.*"],
    environment: { STOPS: "80" },
    watches: [...ENGINES, "relay/operating/", "test/engines/"],
  },
  {
    name: "abuse",
    proves:
      "strangers can't take what belongs to others, and each attack notices a server that lets them",
    tests: ["test/sim/abuse/**"],
    scripts: [["abuse"]],
    watches: ["relay/http/", "relay/domain/", "relay/limits/", "test/sim/abuse/"],
  },
  {
    name: "abuse-scaled",
    proves: "nor from three relays behind haproxy",
    scripts: [["abuse", "--scaled"]],
    watches: [...ENGINES, "relay/http/", "test/sim/abuse/"],
  },
  {
    name: "conformance",
    proves: "the conformance kit names each broken rule, and no other",
    tests: ["test/cli/{conformance,layout,preview}/**", "test/engines/conformance.*"],
    watches: ["cli/conformance/", "cli/layout/", "cli/preview/", "relay/http/", "core/protocol/"],
  },
  {
    name: "pages",
    proves:
      "every state of every page is accessible at every width, and nothing moves under the pointer",
    tests: ["test/pages/*", "test/pages/{panel,send}/**", "test/pages/kit/*"],
    wholeForms: [
      "test/pages/accessibility.slow.test.ts",
      "test/pages/panel/panel-{states,still}.slow.test.ts",
      "test/pages/send/page-journey.slow.test.ts",
    ],
    watches: [...PAGES, "scripts/pictures/"],
  },
  {
    name: "layout",
    proves: "nothing in the panel covers anything or is cut off, in any state, width and language",
    wholeForms: ["test/pages/panel/panel-layout.slow.test.ts"],
    watches: ["pages/kit/", "pages/panel/", "core/messages/", "scripts/pictures/"],
  },
  {
    name: "playing",
    proves: "loops keep their time and pitch at another tempo, and scenes play together",
    tests: ["test/pages/kit/playback/**", "test/pages/preview/**"],
    wholeForms: [
      "test/pages/preview/playback.slow.test.ts",
      "test/pages/kit/playback/stems.slow.test.ts",
    ],
    environment: { SOUNDFERRY_PRINT_FIGURES: "1" },
    watches: ["pages/kit/", "cli/preview/"],
  },
  {
    name: "clients",
    proves:
      "clients resume largest uploads, keep packages over reloads, hash beside other work and believe no foreign answer",
    tests: ["test/client/*", "test/client/{audio,element}/**", "test/relay/http/partials.*"],
    wholeForms: ["test/client/foreign-answers.test.ts", "test/vectors/vectors.test.ts"],
    workers: 1,
    watches: ["client/", "relay/http/"],
  },
  {
    name: "sites",
    proves:
      "proxies and doctor work through the longest silence, and relays are replaced, backed up and restored under load",
    tests: [
      "test/relay/deploy/**",
      "test/cli/*",
      "test/cli/{doctor,importer,relay,up}/**",
      "test/relay/operating/**",
    ],
    wholeForms: ["test/cli/doctor/relay/{stopped,faults}.slow.test.ts"],
    watches: ["relay/deploy/", "cli/doctor/", "relay/http/", "relay/operating/"],
  },
  {
    name: "live",
    proves:
      "the script in Live survives an end and a refusal at every call, and the fake Live is right",
    tests: ["test/addon/hosts/live/remote-script/**"],
    wholeForms: ["test/addon/hosts/live/remote-script/*.slow.test.ts"],
    watches: ["addon/hosts/live/", "addon/extension/", "test/addon/hosts/live/remote-script/"],
  },
  {
    name: "dawproject",
    proves: "each fixture becomes a DAWproject that others read",
    wholeForms: ["test/addon/hosts/dawproject/*.slow.test.ts"],
    watches: [
      "addon/hosts/dawproject/",
      "core/dawproject/",
      "core/layout/",
      "core/zip/",
      "cli/layout/",
      "test/addon/hosts/dawproject/",
    ],
  },
  {
    name: "packages",
    proves: "what is published installs and works elsewhere",
    tests: ["test/scripts/{packages,app}/**", "test/client/python/**", "test/fixtures/**"],
    watches: ["client/", "docs/examples/stores/", "scripts/", "package.json", "package-lock.json"],
  },
  {
    name: "docs",
    proves: "the examples and the pages that start with them do what they say",
    tests: ["test/docs/**"],
    wholeForms: ["test/e2e/preview-is-placed.slow.test.ts"],
    watches: [
      "docs/",
      "docs/examples/",
      "client/",
      "client/python/",
      "cli/layout/",
      "core/layout/",
      "addon/hosts/preview/",
    ],
  },
  {
    name: "fuzz",
    proves:
      "no damaged input takes too long, too much memory, or fails otherwise than as documented",
    tests: ["test/sim/fuzz/**"],
    scripts: [
      ["test", "test/core"],
      ["fuzz", "--minutes", "10"],
    ],
    watches: ["core/audio/", "core/manifest/", "core/text/", "addon/", "relay/", "test/sim/fuzz/"],
  },
  mutations("manifest", ["core/manifest"]),
  mutations(
    "core",
    ["root", "audio", "guess", "layout", "messages"].map((one) => `core/${one}`),
  ),
  mutations(
    "text",
    ["protocol", "quotas", "text"].map((one) => `core/${one}`),
  ),
  ...["root", "admission", "packages", "pairing", "uploads", "upkeep"].map((some) =>
    mutations(`domain-${some}`, [`relay/domain/${some}`]),
  ),
  mutations(
    "saving",
    ["dawproject", "panel", "report", "saved-package", "zip"].map((one) => `core/${one}`),
  ),
  mutations("runs", ["addon/runs"]),
  benches(
    "relay",
    [
      "upload",
      "upload-many",
      "peers",
      "status",
      "announce",
      "notice",
      "sweep",
      "idle",
      "restart",
      "sockets",
      "counts",
    ],
    ["relay/", "core/"],
  ),
  benches(
    "importer",
    ["import", "gained-copy", "library", "place", "pages"],
    ["addon/", "pages/kit/", "client/"],
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
    watches: [...watches, "test/bench/measures/"],
  };
}
