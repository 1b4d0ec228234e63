import { defineConfig } from "vitest/config";
import { useFastFolders } from "./runner/fast-folders.ts";
import { missingEngines } from "./engines/programs.ts";
import { LongestFirst } from "./runner/longest-first.ts";
import { RunReporter } from "./runner/run-reporter.ts";
// Draws the seed before a worker starts, so that all have the same.
import "./runner/random-seed.ts";

useFastFolders();

/** Left out of `npm test` to keep it fast; CI runs them (`npm run test:slow`). */
const SLOW = ["test/**/*.slow.test.ts"];

/** The same, but they start PostgreSQL, an S3 server, pgbouncer and haproxy: left out where one is not installed. */
const SCALED = ["test/**/*.scaled.test.ts"];
const INSTALLED_SCALED = missingEngines().length === 0 ? SCALED : [];

/** Left out of CI too: `npm run test:nightly` runs them part by part. */
const NIGHTLY = ["test/**/*.nightly.test.ts"];

/** Of these those that start engines. */
const NIGHTLY_SCALED = ["test/**/*.scaled.nightly.test.ts"];

/** They replace timers or count what a process does: each runs in one of its own, where no earlier file left anything. */
const ISOLATED = ["test/**/*.isolated.test.ts"];

/** They replace modules. */
const MOCKED = ["test/**/*.mocked.test.ts"];

/** Browsers and killed processes are busy themselves: more of them at once are only late. */
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000, maxWorkers: 3 };

/** A worker serves all its files with what it has started, such as Chromium. */
const SHARED = { ...PATIENT, isolate: false };

/** Set by `npm run test:nightly`: a part whose tests compare times runs one file after the other. */
const NIGHTLY_WORKERS = Number(process.env["SOUNDFERRY_NIGHTLY_WORKERS"] ?? 2);

const WITH_ENGINES = { ...SHARED, globalSetup: ["test/engines/start-engines.ts"] };

export default defineConfig({
  test: {
    update: "none",
    // Node imports sources as they are: Vite would transform each one again in every run.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Only for tests that hang: a loaded machine is slow, and no test checks time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most tests wait for sockets, disks and processes: with 5 workers, two cores end a fifth sooner than with 2.
    maxWorkers: 5,
    reporters: [new RunReporter()],
    // What a test prints is shown if it fails.
    silent: "passed-only",
    setupFiles: ["test/runner/set-up.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: [...ISOLATED, ...MOCKED, ...SLOW, ...SCALED, ...NIGHTLY],
        },
      },
      {
        extends: true,
        test: { name: "isolated", include: ISOLATED },
      },
      {
        extends: true,
        // Only Vite's own module runner can replace modules.
        test: { name: "mocked", include: MOCKED, experimental: { viteModuleRunner: true } },
      },
      {
        extends: true,
        test: { name: "slow", include: SLOW, ...SHARED, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: "scaled",
          include: INSTALLED_SCALED,
          ...WITH_ENGINES,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "nightly",
          include: NIGHTLY,
          exclude: NIGHTLY_SCALED,
          ...SHARED,
          maxWorkers: NIGHTLY_WORKERS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "nightly-scaled",
          include: NIGHTLY_SCALED,
          ...WITH_ENGINES,
          maxWorkers: NIGHTLY_WORKERS,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
