import * as fc from "fast-check";
import { expect } from "vitest";
import { checkLiveSet } from "../../../../core/live-set/check/check-live-set.ts";
import { formatLiveSet } from "../../../../core/live-set/format-live-set.ts";
import { planLiveSet } from "../../../../core/live-set/plan-live-set.ts";
import { parseXmlTree } from "../../../../core/live-set/xml-tree.ts";
import { RANDOM_PACKAGES } from "../random-packages.ts";

/** Expects that what the writer makes of random packages has no finding and no note. */
export function expectNoFindings(packages: number): void {
  fc.assert(
    fc.property(RANDOM_PACKAGES, (drawn) => {
      const { list } = checkLiveSet(parseXmlTree(formatLiveSet(planLiveSet(drawn))));
      expect([list.faults, list.notes, [...list.notJudged]]).toEqual([[], [], []]);
    }),
    { numRuns: packages },
  );
}
