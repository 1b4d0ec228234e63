import { describe, expect, test } from "vitest";
import { guessTitle, uniqueNames } from "../../../core/guess/guess-package-title.ts";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { cleanName } from "../../../core/text/clean-text.ts";
import * as fc from "fast-check";
import { clashKey } from "../../../core/text/file-name.ts";
import { CODE_POINT } from "../../code-point.ts";
import { runs } from "../../runner/random-seed.ts";

function titleOf(fileName: string, seconds = 0.3): string {
  return guessSound({ fileName, frames: seconds * 48_000, sampleRateHz: 48_000, hints: {} }).title;
}

describe("[Y4] a sound's title", () => {
  test.each([
    ["Amen Loop 130 BPM Cmin.wav", "Amen Loop"],
    ["kick-deep.wav", "Kick Deep"],
    ["TR-808 Kick.wav", "TR-808 Kick"],
    ["KSHMR_Kick_03.aif", "KSHMR Kick 03"],
    ["SP1200 snare 48k.wav", "SP1200 Snare"],
    ["snare_24bit_96kHz.wav", "Snare"],
    ["drum & bass.wav", "Drum & Bass"],
    ["Caisse claire.flac", "Caisse Claire"],
    ["夜雨.wav", "夜雨"],
    ["07.wav", "07"],
    ["128.wav", "128"],
  ])("of %s is %s", (fileName, title) => {
    expect(titleOf(fileName)).toBe(title);
  });

  test("is a valid name, and never empty", () => {
    const odd = [
      "",
      " ",
      "___",
      "[](){}",
      "120 BPM",
      "Am.wav",
      "🥁🥁.wav",
      "x".repeat(300),
      "- - -",
    ];
    for (const fileName of odd) {
      const title = titleOf(fileName);
      expect(title).not.toBe("");
      expect(cleanName(title)).toBe(title);
    }
  });

  test("becomes unique in its package, without a change to those that are", () => {
    expect(uniqueNames(["Kick", "kick", "Kick 2", "Snare"])).toEqual([
      "Kick",
      "kick 3",
      "Kick 2",
      "Snare",
    ]);
    const long = uniqueNames(["x".repeat(40), "x".repeat(40)]);
    expect(long).toEqual(["x".repeat(40), `${"x".repeat(38)} 2`]);
  });
});

describe("[Y5] a package's title", () => {
  test("is its folder's name", () => {
    expect(guessTitle({ folderName: "/samples/kitchen_kit", fileNames: ["a.wav"] })).toBe(
      "Kitchen Kit",
    );
    expect(guessTitle({ folderName: "Kitchen Kit/", fileNames: [] })).toBe("Kitchen Kit");
  });

  test.each(["Downloads", "New Folder (2)", "samples", "wav", "Neuer Ordner", "3", ""])(
    "is not %s",
    (folderName) => {
      const fileNames = ["KSHMR_Kick_03.wav", "KSHMR_Snare_01.wav"];
      expect(guessTitle({ folderName, fileNames })).toBe("KSHMR");
    },
  );

  test("is what the names have in common, else the first of them", () => {
    expect(guessTitle({ fileNames: ["Amen Loop.wav", "Amen Kick.wav"] })).toBe("Amen");
    expect(guessTitle({ fileNames: ["Kick Deep.wav", "Snare.wav", "Hat.wav"] })).toBe(
      "Kick Deep and 2 more",
    );
    expect(guessTitle({ fileNames: ["Amen Loop 130 BPM.wav"] })).toBe("Amen Loop");
    expect(guessTitle({ fileNames: [] })).toBe("Untitled");
  });
});

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
