import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkLiveSet } from "../../../../core/live-set/check/check-live-set.ts";
import { parseXmlTree, XmlUnreadable } from "../../../../core/live-set/xml-tree.ts";
import { anyText } from "../../text/any-text.ts";
import { FILE, filesWith, GOOD } from "./good-set.ts";

/** A part of the Set, replaced by another part of it or by any text. */
const DAMAGE = fc.record({
  at: fc.nat(GOOD.length),
  length: fc.oneof(fc.nat(3), fc.nat(300)),
  by: fc.oneof(
    anyText,
    fc.constantFrom("", "-1", "1e400", "NaN", "9".repeat(30), '"', "<", "/>", "Id", "&amp;", "\n"),
    fc.tuple(fc.nat(GOOD.length), fc.nat(300)).map(([at, length]) => GOOD.slice(at, at + length)),
  ),
});

test("[LS22] a damaged Set is judged, or a sentence says why it can't be read", () => {
  const run = { judged: 0, refused: 0 };
  fc.assert(
    fc.property(fc.array(DAMAGE, { minLength: 1, maxLength: 3 }), (damages) => {
      const text = damages.reduce(
        (xml, { at, length, by }) => xml.slice(0, at) + by + xml.slice(at + length),
        GOOD,
      );
      try {
        const { list } = checkLiveSet(parseXmlTree(text), filesWith(FILE));
        run.judged += 1;
        for (const { sentence, path } of [...list.faults, ...list.notes]) {
          expect(sentence).not.toMatch(/\{\w+\}|\n/);
          expect(path).not.toBe("");
        }
      } catch (error) {
        if (!(error instanceof XmlUnreadable)) throw error;
        run.refused += 1;
        expect(error.message).toMatch(/^The XML .+ \(line \d+\)\.$/);
      }
    }),
    { numRuns: 1000 },
  );
  expect(Math.min(run.judged, run.refused)).toBeGreaterThan(50);
});
