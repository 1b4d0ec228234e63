import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { changedCounts, readSavedCounts } from "./compare-counts.ts";
import { CALL_KINDS, type Kind, MEMORY_KINDS, SYSTEM_KINDS } from "./kinds.ts";
import { countSubject, type ProcessCount } from "./measure-counts.ts";
import { SUBJECTS } from "./subjects.ts";

// What the saved counts say (`test/bench/results/counts.json`), whatever the machine does meanwhile.

const saved = await readSavedCounts();
const majorOf = (version: string) => version.split(".")[0];
const isSavedNode = majorOf(process.version) === majorOf(saved.measured_on.node);
const HOW = "If it must be so, accept it: npm run bench -- counts --save";

describe.each(SUBJECTS)("The work of one $unit grows by at most 10 %", (subject) => {
  let now: readonly ProcessCount[] = [];
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "soundferry-counts-"));
    now = await countSubject(subject, folder);
    await rm(folder, { recursive: true });
  });

  const expectNoneOf = (kinds: object) => {
    const names = new Set(Object.keys(kinds) as Kind[]);
    expect(changedCounts(saved.processes, now, names), HOW).toEqual([]);
  };

  test("its calls of files and SQL", () => expectNoneOf(CALL_KINDS));
  test.runIf(process.platform === "linux")("its bytes and calls to the system (needs Linux)", () =>
    expectNoneOf(SYSTEM_KINDS),
  );
  test.runIf(isSavedNode)(`its memory (needs Node ${majorOf(saved.measured_on.node)})`, () =>
    expectNoneOf(MEMORY_KINDS),
  );
});
