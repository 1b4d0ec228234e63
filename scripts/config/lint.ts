import type { OxlintConfig } from "oxlint";
import { COMMAND_LINE, type Room, ROOMS } from "./rooms.ts";

const WAITS =
  "No test waits for a moment: wait for what happens with until or soon of test/sim/, hold the clock that the code takes as an argument, or prove that nothing happens by something that comes later.";

/** Tests that need real time, each with the reason. */
const NEEDS_TIME: Readonly<Record<string, string>> = {
  "test/{sim,engines,bench}/**": "the simulator and its programs",
  "test/relay/{stops,crash,restart,lost-database}/**": "programs of the simulator",
  "test/contracts/relay/**": "suites for any store, on the system's own clocks",
  "test/nightly/**": "times the parts of the nightly run",
  "test/relay/running-relay.ts": "a relay's real clock",
  "test/relay/testing/{clocked-records.test,steady-clocks}.ts": "the system's own clocks",
  "test/relay/storage/postgres/database-clock.isolated.test.ts": "a held system clock",
  "test/relay/limits/{spread-events,hold-slice}.ts": "limits of a real minute on real databases",
  "test/relay/storage/postgres/closing.scaled.test.ts": "a trouble that would come after the end",
  "test/relay/storage/sqlite/two-processes.slow.test.ts": "nothing tells that a lock is waited for",
  "test/relay/http/importer-list.slow.test.ts": "samples how much memory a process takes",
  "test/addon/hosts/live/remote-script/{live-studio,called-off.nightly.test,{cut-off,meddling}.slow.test}.ts":
    "the fake Live is a process: what has reached it at a tick varies, and every outcome is right",
  "test/cli/preview/preview-watch-fuzz.nightly.test.ts": "the rhythm of changes, drawn by the seed",
  "test/pages/preview/preview-editing.nightly.test.ts": "a file's watcher that would come too late",
  "test/scripts/live/bare-context.ts": "names the timers that Live's Node has",
};

const NO_RANDOM = {
  object: "Math",
  property: "random",
  message: "Draw from RANDOM_SEED (test/runner/random-seed.ts), so that a run can be repeated.",
};

/** Folders below a room that the rules reach. */
const DEPTHS = [0, 1, 2, 3];

export default {
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "node"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  ignorePatterns: ["dist", "node_modules", "**/*.generated.js", "coverage"],
  rules: {
    "no-await-in-loop": "off",
    "no-underscore-dangle": "off",
    "no-shadow": "off",
    "typescript/consistent-return": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    "unicorn/require-module-specifiers": "off",
    "import/no-unassigned-import": "off",
    "import/no-default-export": "error",
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "promise/always-return": "off",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/switch-exhaustiveness-check": "error",
    eqeqeq: "error",
    "no-var": "error",
    "prefer-const": "error",
    "max-lines": ["error", { max: 300, skipBlankLines: false, skipComments: false }],
    "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
  },
  overrides: [
    ...ROOMS.flatMap((room) => DEPTHS.flatMap((depth) => importRules(room, depth))),
    {
      files: ["*.config.ts", "scripts/config/*.ts", "{scripts/mutate,test}/*.config.ts"],
      rules: { "import/no-default-export": "off" },
    },
    {
      // Node's runner waits for the tests that it registers.
      files: ["docs/examples/**/*.test.ts"],
      rules: {
        "typescript/no-floating-promises": [
          "error",
          {
            allowForKnownSafeCalls: [
              { from: "package", name: ["describe", "test"], package: "node:test" },
            ],
          },
        ],
      },
    },
    {
      files: ["test/**", "scripts/**", "fixtures/**"],
      rules: {
        "max-lines-per-function": "off",
        "typescript/no-unsafe-type-assertion": "off",
        "unicorn/consistent-function-scoping": "off",
      },
    },
    {
      files: ["test/**"],
      excludeFiles: ["test/bench/**"],
      rules: { "no-restricted-properties": ["error", NO_RANDOM] },
    },
    {
      files: ["test/**"],
      excludeFiles: Object.keys(NEEDS_TIME),
      rules: {
        "no-restricted-globals": [
          "error",
          ...["setTimeout", "setInterval"].map((name) => ({ name, message: WAITS })),
        ],
        "no-restricted-imports": [
          "error",
          {
            paths: ["node:timers", "node:timers/promises"].map((name) => ({
              name,
              importNames: ["setTimeout", "setInterval", "scheduler"],
              message: WAITS,
            })),
          },
        ],
        "no-restricted-properties": [
          "error",
          NO_RANDOM,
          { object: "expect", property: "poll", message: WAITS },
          { object: "vi", property: "waitFor", message: WAITS },
          { object: "vi", property: "waitUntil", message: WAITS },
          { object: "performance", property: "now", message: WAITS },
          { property: "waitForTimeout", message: WAITS },
        ],
      },
    },
  ],
} satisfies OxlintConfig;

/** The rule for the files that lie `depth` folders below a room; a later rule replaces an earlier one. */
function importRules(room: Room, depth: number): NonNullable<OxlintConfig["overrides"]> {
  const { path, says: message } = room;
  const isFolder = !isFile(path) && !isFlat(path);
  if (depth > 0 && !isFolder) return [];
  const folder = isFolder ? path : path.slice(0, path.lastIndexOf("/"));
  const patterns = [
    ...forbiddenTo(room).map((to) => ({ regex: specifierOf(to, folder, depth), message })),
    ...(room.withoutPackages ?? []).map((regex) => ({ regex, message })),
  ];
  const files = isFile(path) ? path : `${folder}/${"*/".repeat(depth)}*.{ts,tsx}`;
  return [{ files: [files], rules: { "no-restricted-imports": ["error", { patterns }] } }];
}

/** Every room that it may not import; with `*` it may import all but the command line and the tests. */
function forbiddenTo({ path: own, imports }: Room): readonly string[] {
  const isAllowed = (path: string) =>
    path === own ||
    imports.includes(path) ||
    (imports.includes("*") && !COMMAND_LINE.includes(path) && !path.startsWith("test"));
  return ROOMS.map(({ path }) => path).filter((path) => !isAllowed(path) && own !== "test");
}

/** Matches what a file `depth` folders below a folder writes to import from a room. */
function specifierOf(to: string, folder: string, depth: number): string {
  const [there, here] = [to.split("/"), folder.split("/")];
  const shared = here.findIndex((part, index) => part !== there[index]);
  const common = shared === -1 ? here.length : shared;
  const steps = here.length - common + depth;
  const start = `^${steps === 0 ? "\\./" : `(\\.\\./){${steps}}`}`;
  const rest = there.slice(common).join("/");
  if (isFlat(to)) return `${start}${rest.slice(0, -1)}[^/]+$`;
  if (isFile(to)) return `${start}${rest.replace(".", "\\.")}$`;
  return rest === "" ? `${start}[^.]` : `${start}${rest}/`;
}

function isFile(path: string): boolean {
  return path.endsWith(".ts");
}

/** Only the files that lie in the folder directly. */
function isFlat(path: string): boolean {
  return path.endsWith("/*");
}
