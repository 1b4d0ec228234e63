import { matchesGlob, relative } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LEFT_OUT_TESTS } from "./parts.ts";

/** Globs; set by try-part.ts. */
const tests: string[] = JSON.parse(process.env["SOUNDFERRY_MUTATE_TESTS"] ?? "[]");

/** Runs the files in the order of the globs: the first test that fails ends a run. */
class GlobSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification) =>
      tests.findIndex((glob) => matchesGlob(relative(project.config.root, moduleId), glob));
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  test: {
    include: tests,
    exclude: LEFT_OUT_TESTS,
    setupFiles: ["test/runner/random-seed.ts", "test/equal-bytes.ts"],
    sequence: { sequencer: GlobSequencer },
    isolate: false,
    update: "none",
    // Changed code counts every step that it takes.
    testTimeout: 15_000,
    hookTimeout: 15_000,
  },
});
