import * as fc from "fast-check";
import { expect, test } from "vitest";
import { guessTitle, uniqueNames } from "../../../core/guess/guess-package-title.ts";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { cleanName } from "../../../core/text/clean-text.ts";
import { clashKey } from "../../../core/text/file-name.ts";
import { CODE_POINT } from "../../code-point.ts";
import { runs } from "../../runner/random-seed.ts";

/** Pieces that names are made of, and anything else. */
const PIECE = fc.oneof(
  fc.constantFrom("120", "0", "999999", "bpm", "BPM", "Am", "C#", "loop", "kick", "808", "4 bars"),
  fc.constantFrom("_", "-", " ", ".", "(", ")", "[", "3-4", "100-110 bpm", "1e9", "٣", "²"),
  fc.string({ unit: CODE_POINT, maxLength: 6 }),
);
const NAME = fc.array(PIECE, { maxLength: 12 }).map((pieces) => pieces.join(""));
const HINTS = fc.record(
  {
    acid: fc.record({ isOneShot: fc.boolean(), beats: fc.nat(), tempoBpm: fc.float() }),
    sampler: fc.record({ startFrame: fc.nat(), endFrame: fc.nat() }),
  },
  { requiredKeys: [] },
);

test("[Y1][Y2][Y4] any name and any file give a guess that a manifest takes", () => {
  const input = fc.record({
    fileName: NAME,
    folderName: fc.option(NAME, { nil: undefined }),
    frames: fc.nat({ max: 50_000_000 }),
    sampleRateHz: fc.integer({ min: 1, max: 192_000 }),
    hints: HINTS,
    packageBpm: fc.option(fc.float({ min: 20, max: 999, noNaN: true }), { nil: undefined }),
  });
  fc.assert(
    fc.property(input, (given) => {
      const { title, kind, bpm, lengthBeats, confidence, because } = guessSound(given);
      expect(cleanName(title)).toBe(title);
      expect(title).not.toBe("");
      expect(because).toMatch(/\.$/);
      expect(bpm === null).toBe(lengthBeats === null);
      if (kind === "oneshot") expect(bpm).toBeNull();
      if (bpm !== null) expect(bpm).toBeGreaterThanOrEqual(20);
      if (bpm !== null) expect(bpm).toBeLessThanOrEqual(999);
      if (lengthBeats !== null) expect(lengthBeats).toBeGreaterThan(0);
      if (lengthBeats !== null) expect(lengthBeats).toBeLessThanOrEqual(4096);
      for (const each of Object.values(confidence)) {
        expect(each).toBeGreaterThanOrEqual(0);
        expect(each).toBeLessThan(1);
      }
    }),
    runs(1500),
  );
});

test("[Y4][Y5] names are unique and valid, and a package has a title", () => {
  fc.assert(
    fc.property(fc.array(NAME, { minLength: 1, maxLength: 12 }), (fileNames) => {
      const titles = fileNames.map(
        (fileName) => guessSound({ fileName, frames: 1, sampleRateHz: 1, hints: {} }).title,
      );
      const names = uniqueNames(titles);
      expect(new Set(names.map(clashKey)).size).toBe(names.length);
      for (const name of names) expect(cleanName(name)).toBe(name);
      expect(guessTitle({ fileNames, folderName: fileNames[0] })).not.toBe("");
    }),
    runs(300),
  );
});
