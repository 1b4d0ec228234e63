import { describe, expect, test } from "vitest";
import { guessTitle, uniqueNames } from "../../../core/guess/guess-package-title.ts";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import { cleanName } from "../../../core/text/clean-text.ts";

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
