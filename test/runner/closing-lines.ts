/** A finished run, as the last lines report it. */
export interface FinishedRun {
  readonly files: readonly FinishedFile[];
  /** Errors outside tests, such as a rejection that nobody handled. */
  readonly errors: number;
  readonly seconds: number;
  readonly rules: { readonly count: number; readonly withoutTest: readonly string[] };
  readonly leftOut: readonly LeftOut[];
  /** Runs the files that failed again, with the same random numbers. */
  readonly repeat: (paths: readonly string[]) => string;
  /** Lists every name instead of counting them. */
  readonly withNames: boolean;
}

export interface FinishedFile {
  readonly path: string;
  readonly tests: readonly FinishedTest[];
  /** Such as an import that fails, beside the tests that failed. */
  readonly failsItself: boolean;
  /** Processor time; how long it took where that wasn't measured. */
  readonly ms: number;
}

export interface FinishedTest {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped" | "pending";
}

/** Test files that another command runs. */
export interface LeftOut {
  /** Such as `slow`. */
  readonly kind: string;
  /** Such as `npm run test:slow`. */
  readonly command: string;
  readonly paths: readonly string[];
}

const SLOWEST = 10;
/** Files that are named for each reason to skip. */
const NAMED = 3;

/** The last lines of a run: what is missing, what was slow, what was left out and why, and how it ended. */
export function formatClosing(run: FinishedRun): readonly string[] {
  const { rules, files, seconds } = run;
  const processorSeconds = sum(files.map(({ ms }) => ms)) / 1000;
  return [
    `Rules without a test (of ${rules.count}): ${rules.withoutTest.join(", ") || "none"}`,
    ...formatSlowest(files),
    ...formatLeftOut(run.leftOut, run.withNames),
    ...formatSkipped(run),
    ...formatRepeating(run),
    `${count(files.length, "file")} in ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time`,
    formatCounts(run),
  ];
}

/** Such as `5764 passed, 0 failed, 5 skipped`. */
function formatCounts({ files, errors }: FinishedRun): string {
  const tests = files.flatMap((file) => file.tests);
  const inState = (wanted: FinishedTest["state"]) =>
    tests.filter(({ state }) => state === wanted).length;
  const broken = files.filter(({ failsItself }) => failsItself).length;
  return [
    `${inState("passed")} passed`,
    `${inState("failed")} failed`,
    `${inState("skipped")} skipped`,
    ...(inState("pending") === 0 ? [] : [`${inState("pending")} not finished`]),
    ...(broken === 0 ? [] : [`${count(broken, "file")} failed outside tests`]),
    ...(errors === 0 ? [] : [`${count(errors, "error")} outside files`]),
  ].join(", ");
}

function formatRepeating({ files, repeat }: FinishedRun): readonly string[] {
  const failed = files.filter(
    ({ failsItself, tests }) => failsItself || tests.some(({ state }) => state === "failed"),
  );
  return failed.length === 0 ? [] : [`Again: ${repeat(failed.map(({ path }) => path))}`];
}

function formatSlowest(files: readonly FinishedFile[]): readonly string[] {
  if (files.length <= SLOWEST) return [];
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  const lines = slowest.map(({ path, ms }) => `${(ms / 1000).toFixed(1).padStart(7)}  ${path}`);
  return ["Slowest files, in seconds of processor time:", ...lines];
}

/** One line for all that another command runs; none where there is nothing. */
export function formatLeftOut(leftOut: readonly LeftOut[], withNames: boolean): readonly string[] {
  const some = leftOut.filter(({ paths }) => paths.length > 0);
  if (some.length === 0) return [];
  const kinds = some.map(
    ({ kind, command, paths }) => `${count(paths.length, `${kind} file`)} (${command})`,
  );
  const names = some.flatMap(({ paths }) => paths.map((path) => `  ${path}`));
  return [`Left out: ${kinds.join(", ")}`, ...(withNames ? names : [])];
}

/** One line for each reason, with the files; every test where names are wanted or it has no reason. */
function formatSkipped({ files, withNames }: FinishedRun): readonly string[] {
  const skipped = files.flatMap(({ path, tests }) =>
    tests.filter(({ state }) => state === "skipped").map(({ name }) => ({ path, name })),
  );
  const reasons = [...Map.groupBy(skipped, ({ name }) => reasonOf(name))];
  return reasons.flatMap(([reason, tests]) => {
    const names = tests.map(({ path, name }) => `  ${path}: ${name}`);
    const total = count(tests.length, "test");
    if (reason === undefined)
      return [`Skipped: ${total} without a reason in the title`].concat(names);
    const line = `Skipped: ${total} that ${tests.length === 1 ? "needs" : "need"} ${reason}`;
    return withNames ? [line].concat(names) : `${line}: ${formatPlaces(tests)}`;
  });
}

/** Some of the files that tests are in. */
function formatPlaces(tests: readonly { readonly path: string }[]): string {
  const paths = [...new Set(tests.map(({ path }) => path))];
  const more = paths.length > NAMED ? ` and ${count(paths.length - NAMED, "more file")}` : "";
  return paths.slice(0, NAMED).join(", ") + more;
}

/** A test that may be skipped says so in its title or its group's: `(needs Chromium)`. */
function reasonOf(name: string): string | undefined {
  return /\(needs ([^)]+)\)/.exec(name)?.[1];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
