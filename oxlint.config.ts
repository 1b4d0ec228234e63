import type { OxlintConfig } from "oxlint";
import { type Room, ROOMS } from "./rooms.ts";

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
    "import/no-cycle": "error",
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
      files: ["vitest.config.ts", "oxlint.config.ts"],
      rules: { "import/no-default-export": "off" },
    },
    {
      // Node's runner waits for the tests that it registers.
      files: ["examples/**/*.test.ts"],
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
      files: ["test/**", "bench/**", "scripts/**", "fixtures/**"],
      rules: {
        "max-lines-per-function": "off",
        "typescript/no-unsafe-type-assertion": "off",
        "unicorn/consistent-function-scoping": "off",
      },
    },
    {
      files: ["test/**"],
      rules: {
        "no-restricted-properties": [
          "error",
          {
            object: "Math",
            property: "random",
            message: "Draw from RANDOM_SEED (test/random-seed.ts), so that a run can be repeated.",
          },
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

/** Every room that it may not import; with `*` it may all but the command line and the tests. */
function forbiddenTo({ path: own, imports }: Room): readonly string[] {
  const isAllowed = (path: string) =>
    path === own ||
    imports.includes(path) ||
    (imports.includes("*") && path !== "cli" && path !== "test");
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
