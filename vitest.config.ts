import { defineConfig } from "vitest/config";
import { useFastFolders } from "./test/fast-folders.ts";
import { LongestFirst } from "./test/longest-first.ts";
import { RunReporter } from "./test/report/run-reporter.ts";
// Draws the seed before a worker starts, so that all have the same.
import "./test/random-seed.ts";

useFastFolders();

/** Left out of `npm test` to keep it fast; CI runs it too. */
const SLOW = ["test/slow/**/*.test.ts", "test/**/*.slow.test.ts"];

/** Of the slow ones those that compare times: they run one after the other, when nothing else does. */
const ALONE = ["test/**/*.alone.slow.test.ts"];

/** Left out too: they need PostgreSQL, an S3 server, pgbouncer and haproxy. */
const SCALED = ["test/**/*.scaled.test.ts"];

/** Of these those that count what a busy machine would change. */
const ALONE_SCALED = ["test/**/*.alone.scaled.test.ts"];

/** They replace timers or count what a process does: each runs in one of its own, where no earlier file left anything. */
const ISOLATED = ["test/**/*.isolated.test.ts"];

/** Only for tests that hang, of those that take minutes. */
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    update: "none",
    // Only for tests that hang: a loaded machine is slow, and no test checks time.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Most tests wait for sockets, disks and processes; two cores can run more than two of them.
    maxWorkers: 4,
    reporters: [new RunReporter()],
    // What a test prints is shown if it fails.
    silent: "passed-only",
    setupFiles: ["test/random-seed.ts", "test/report/file-cost.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: "pure", include: ["test/core/**/*.test.ts"], isolate: false },
      },
      {
        extends: true,
        test: {
          name: "real",
          isolate: false,
          include: ["test/**/*.test.ts"],
          exclude: ["test/core/**", ...ISOLATED, ...SLOW, ...SCALED],
        },
      },
      {
        extends: true,
        test: { name: "isolated", include: ISOLATED },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: SLOW,
          exclude: ALONE,
          // Browsers and crash loops are busy processes themselves: more of them at once are only late.
          maxWorkers: 2,
          ...PATIENT,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          include: ALONE,
          maxWorkers: 1,
          ...PATIENT,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: "scaled",
          include: SCALED,
          exclude: ALONE_SCALED,
          // Engines that a worker has started serve all its files: test/scaled/shared-engines.ts.
          isolate: false,
          globalSetup: ["test/scaled/engines-folder.ts"],
          maxWorkers: 2,
          ...PATIENT,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: "scaled-alone",
          include: ALONE_SCALED,
          globalSetup: ["test/scaled/engines-folder.ts"],
          maxWorkers: 1,
          ...PATIENT,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
