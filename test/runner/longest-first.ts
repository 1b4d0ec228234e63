import { createHash } from "node:crypto";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const ROOT = `${import.meta.dirname}/..`;

/** The slow test files that take longest, the longest first. A new checkout has no memory of how long they took. */
export const LONGEST: readonly string[] = [
  "test/engines/failures/crash.scaled.test.ts",
  "test/relay/storage/postgres/postgres-records.scaled.test.ts",
  "test/pages/accessibility.slow.test.ts",
  "test/sim/faults/database-faults.slow.test.ts",
  "test/sim/crash/crash.slow.test.ts",
  "test/e2e/importer-calls.slow.test.ts",
];

/**
 * Starts the longest files first, so that at the end no worker waits for another. With `--sequence.shuffle.tests` the
 * files are in the order that `--sequence.seed` draws.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shuffle, seed } = this.ctx.config.sequence;
    if (shuffle) {
      const drawn = ({ moduleId }: TestSpecification) =>
        createHash("sha256").update(`${seed} ${moduleId}`).digest("hex");
      return files.toSorted((one, other) => (drawn(one) < drawn(other) ? -1 : 1));
    }
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project);
    return [...byProject.values()].flatMap((specs) =>
      specs.toSorted((one, other) => rankOf(one) - rankOf(other)),
    );
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.indexOf(relative(ROOT, moduleId).replaceAll("\\", "/"));
  return rank === -1 ? LONGEST.length : rank;
}
