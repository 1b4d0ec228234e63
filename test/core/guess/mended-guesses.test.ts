import { describe, expect, test } from "vitest";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import type { GuessInput } from "../../../core/guess/sound-guess.ts";

const HZ = 44_100;
/** Frames of so many beats. */
const framesOf = (beats: number, bpm: number) => Math.round((beats * 60 * HZ) / bpm);

function guess(fileName: string, given: Partial<GuessInput> = {}) {
  return guessSound({ fileName, frames: framesOf(8, 87), sampleRateHz: HZ, hints: {}, ...given });
}

describe("two tempi of which one is half the other", () => {
  test("[Y2] are one tempo: the style's, else the one at the unit", () => {
    expect(guess("DnB Beat 87-174bpm.wav")).toMatchObject({ bpm: 174, lengthBeats: 16 });
    expect(guess("DnB Beat 174-87 bpm.wav")).toMatchObject({ bpm: 174, lengthBeats: 16 });
    expect(guess("Lofi Beat 87-174bpm.wav")).toMatchObject({ bpm: 87, lengthBeats: 8 });
    expect(guess("Beat 87-174bpm.wav")).toMatchObject({ bpm: 174, title: "Beat" });
    expect(guess("Beat 174-87bpm.wav")).toMatchObject({ bpm: 87, title: "Beat" });
  });

  test("[Y2] other pairs stay a range", () => {
    const frames = framesOf(16, 105);
    expect(guess("Beat 100-110 BPM.wav", { frames })).toMatchObject({ bpm: 105, lengthBeats: 16 });
  });
});

describe("a tempo in a tag", () => {
  test("[Y2] counts before the length, after the name and an acid chunk", () => {
    const hints = { tempoBpm: 174 };
    expect(guess("Beat.wav", { hints })).toMatchObject({ kind: "loop", bpm: 174, lengthBeats: 16 });
    expect(guess("Beat 87 bpm.wav", { hints })).toMatchObject({ bpm: 87 });
    const acid = { isOneShot: false, beats: 8, tempoBpm: 87 };
    expect(guess("Beat.wav", { hints: { ...hints, acid } })).toMatchObject({ bpm: 87 });
    expect(guess("Beat.wav", { hints }).because).toContain("tag says its tempo");
  });

  test("[Y2] may be rounded to a whole number, and counts for nothing where the length contradicts it", () => {
    const frames = framesOf(16, 97.3);
    const beat = (tempoBpm: number) => guess("Beat.wav", { frames, hints: { tempoBpm } });
    expect(beat(97)).toMatchObject({ bpm: 97.3, lengthBeats: 16 });
    expect(beat(99)).toMatchObject({ bpm: null });
    expect(beat(97.1)).toMatchObject({ bpm: null });
    expect(beat(1200)).toMatchObject({ bpm: null });
  });
});

test("[Y1] a sampler's loop of one frame says nothing", () => {
  for (const sampler of [
    { startFrame: 0, endFrame: 0 },
    { startFrame: 7, endFrame: 7 },
  ]) {
    for (const name of ["Bass 128.wav", "Chord Riff.wav", "Pad.wav", "Beat.wav"]) {
      const frames = framesOf(16, 128);
      expect(guess(name, { frames, hints: { sampler } })).toEqual(guess(name, { frames }));
    }
  }
  const held = { sampler: { startFrame: 9, endFrame: 900 } };
  expect(guess("Pad.wav").kind).toBe("loop");
  expect(guess("Pad.wav", { hints: held }).kind).toBeNull();
});

describe("a key in the folder", () => {
  const folderName = "Neon Keys/F# minor";

  test("[Y6] is that of its music, decided or not", () => {
    expect(guess("Synth Loop.wav", { folderName }).key).toBe("F# minor");
    expect(guess("Synth.wav", { folderName, frames: 90_000 })).toMatchObject({
      kind: null,
      key: "F# minor",
    });
    expect(guess("Synth Loop Cm.wav", { folderName }).key).toBe("C minor");
  });

  test("[Y6] is not that of drums, of a note or of a one-shot", () => {
    for (const name of ["Drum Loop.wav", "Kick.wav", "Pad C3.wav", "Riser.wav"]) {
      expect(guess(name, { folderName }).key).toBeNull();
    }
  });
});

describe("words of other languages", () => {
  const KINDS = { loop: "loop", shot: "oneshot" } as const;

  test.each([
    ["ドラムループ 128.wav", "loop", "drums"],
    ["ﾄﾞﾗﾑﾙｰﾌﾟ.wav", "loop", "drums"],
    ["ベースのループ.wav", "loop", "bass"],
    ["シンセ ループ_01.wav", "loop", "melodic"],
    ["ボーカル ワンショット.wav", "shot", "vocal"],
    ["キック_03.wav", "shot", "drums"],
    ["드럼 루프 128.wav", "loop", "drums"],
    ["보컬 원샷.wav", "shot", "vocal"],
    ["贝斯循环.wav", "loop", "bass"],
    ["鋼琴循環.wav", "loop", "melodic"],
    ["луп барабаны.wav", "loop", "drums"],
    ["Петля Бас.wav", "loop", "bass"],
    ["Loop Batteria.wav", "loop", "drums"],
    ["Bläser Loop.wav", "loop", "melodic"],
  ] as const)("[Y1] %s is a %s of the role %s", (name, kind, role) => {
    const frames = kind === "loop" ? framesOf(16, 128) : 20_000;
    expect(guess(name, { frames })).toMatchObject({ kind: KINDS[kind], role });
  });

  test("[Y1] a word in a longer one with an unknown rest says nothing", () => {
    for (const name of ["レコード.wav", "音声.wav", "歌舞伎.wav", "基本.wav"]) {
      expect(guess(name).role).toBeNull();
    }
  });

  test("[Y1] the reason quotes the word as the name spells it", () => {
    expect(guess("ドラムループ.wav").because).toContain("“ループ”");
    expect(guess("ドラム_リズム.wav").because).toContain("“リズム”");
  });
});
