/** Test files that one command runs. */
export interface TestKind {
  /** Such as `slow`; undefined for those of `npm test`. */
  readonly name: string | undefined;
  readonly command: string;
  readonly isOne: (path: string) => boolean;
}

/** They need programs that may be missing: `test/engines/programs.ts`. */
export const SEVERAL_RELAYS = "several-relay";

/** The first that fits decides. */
const KINDS: readonly TestKind[] = [
  {
    name: "nightly",
    command: "npm run test:nightly",
    isOne: (path) => path.endsWith(".nightly.test.ts"),
  },
  {
    name: SEVERAL_RELAYS,
    command: "npm run test:slow",
    isOne: (path) => path.endsWith(".scaled.test.ts"),
  },
  {
    name: "slow",
    command: "npm run test:slow",
    isOne: (path) => path.endsWith(".slow.test.ts"),
  },
];

const FAST: TestKind = { name: undefined, command: "npm test", isOne: () => true };

/** Names the command that runs a test file. @param path from the root, with slashes */
export function kindOf(path: string): TestKind {
  return KINDS.find(({ isOne }) => isOne(path)) ?? FAST;
}
