import { describe, expect, test } from "vitest";
import { guessSound } from "../../../core/guess/guess-sound.ts";
import {
  exactTempo,
  nearTempo,
  wholeBarsAt,
  wholeBeatsAt,
} from "../../../core/guess/loop-lengths.ts";
import type { LoopHints } from "../../../core/audio/read-loop-hints.ts";

/** A file of so many seconds. */
function lasting(seconds: number, sampleRateHz = 44_100) {
  return { frames: Math.round(seconds * sampleRateHz), sampleRateHz };
}
/** Lasts as long as so many beats at a tempo. */
const beatsAt = (beats: number, bpm: number) => lasting((beats * 60) / bpm);

describe("[Y2] a length that fits a whole tempo to the frame", () => {
  test("gives it, the tempo nearest to 120 first", () => {
    expect(exactTempo(lasting(8), null)).toEqual({ lengthBeats: 16, bpm: 120 });
    expect(exactTempo(beatsAt(8, 126), null)).toEqual({ lengthBeats: 8, bpm: 126 });
    expect(exactTempo(lasting(4.0123), null)).toBeNull();
  });

  test("may be off by 1.5 frames, not by 2", () => {
    const { frames } = lasting(8);
    const bpmAt = (off: number) =>
      exactTempo({ frames: frames + off, sampleRateHz: 44_100 }, null)?.bpm;
    expect([-2, -1, 1, 2].map(bpmAt)).toEqual([undefined, 120, 120, undefined]);
    // Four beats at 160 BPM are 16537.5 frames.
    expect(exactTempo({ frames: 16_539, sampleRateHz: 11_025 }, null)?.bpm).toBe(160);
    expect(exactTempo({ frames: 16_540, sampleRateHz: 11_025 }, null)).toBeNull();
  });

  test("is nearest to 120 by ratio: 168 before 84, but 85 before 170; a style wins", () => {
    expect(exactTempo(beatsAt(4, 84), null)).toEqual({ lengthBeats: 8, bpm: 168 });
    expect(exactTempo(beatsAt(4, 85), null)).toEqual({ lengthBeats: 4, bpm: 85 });
    expect(exactTempo(beatsAt(4, 85), [160, 180])).toEqual({ lengthBeats: 8, bpm: 170 });
    expect(exactTempo(beatsAt(4, 113), [160, 180])).toEqual({ lengthBeats: 4, bpm: 113 });
  });

  test("is from 70 to 180 BPM", () => {
    expect(exactTempo(beatsAt(256, 70), null)).toEqual({ lengthBeats: 256, bpm: 70 });
    expect(exactTempo(beatsAt(256, 69), null)).toBeNull();
    expect(exactTempo(beatsAt(1, 179), null)).toEqual({ lengthBeats: 1, bpm: 179 });
    expect(exactTempo(beatsAt(1, 181), null)).toBeNull();
  });

  test.each([3, 6, 12, 24, 48])("has %d beats only if no power of two fits", (beats) => {
    expect(exactTempo(beatsAt(beats, 100), null)).toEqual({ lengthBeats: beats, bpm: 100 });
    // At 120 BPM so many beats last as long as four thirds of them at 160.
    expect(exactTempo(beatsAt(beats, 120), null)).toEqual({
      lengthBeats: (beats * 4) / 3,
      bpm: 160,
    });
  });

  test("never has 5, 7 or 10 beats", () => {
    for (const beats of [5, 7, 10]) expect(exactTempo(beatsAt(beats, 101), null)).toBeNull();
  });
});

describe("[Y2] a tempo that is given", () => {
  test("may be off by 10 ms, and makes 1 to 4096 beats", () => {
    const beats = (seconds: number) => wholeBeatsAt(90, lasting(seconds));
    expect([5.9885, 5.9905, 6, 6.0095, 6.0115].map(beats)).toEqual([null, 9, 9, 9, null]);
    const fast = (seconds: number) => wholeBeatsAt(960, lasting(seconds, 16_000));
    expect([0.005, 0.0625, 256, 256.0625].map(fast)).toEqual([null, 1, 4096, null]);
  });

  test("leaves a tail after whole bars, or after whole beats below one bar", () => {
    const bars = (beats: number, beatsPerBar = 4) =>
      wholeBarsAt(120, beatsAt(beats, 120), beatsPerBar);
    expect([3.99, 4, 7.9, 8.5, 17].map((beats) => bars(beats))).toEqual([4, 4, 4, 8, 16]);
    expect([0.5, 1.2, 3.5].map((beats) => bars(beats))).toEqual([null, 1, 3]);
    expect([6, 8].map((beats) => bars(beats, 3))).toEqual([6, 6]);
  });

  test("is near within 5 % of a power of two, and the length decides it", () => {
    expect(nearTempo(125, beatsAt(4, 128.3))).toEqual({ lengthBeats: 4, bpm: 128.3 });
    expect(nearTempo(100, beatsAt(16, 105))?.lengthBeats).toBe(16);
    expect(nearTempo(100, beatsAt(16, 106))).toBeNull();
    expect(nearTempo(100, beatsAt(12, 100))).toBeNull();
    expect(nearTempo(100, beatsAt(0.5, 100))).toBeNull();
  });
});

describe("[Y2] what a file says of itself", () => {
  const of = (length: ReturnType<typeof lasting>, hints: LoopHints, fileName = "x.wav") =>
    guessSound({ fileName, ...length, hints });
  const acid = (beats: number, tempoBpm: number) => ({
    acid: { beats, tempoBpm, isOneShot: false },
  });

  test("counts in an acid chunk only if it agrees with the length within 10 ms", () => {
    const file = beatsAt(13, 97.3);
    expect(of(file, acid(13, Math.fround(97.3)))).toMatchObject({ bpm: 97.3, lengthBeats: 13 });
    expect(of(file, acid(16, Math.fround(97.3))).bpm).toBeNull();
    for (const [beats, bpm] of [
      [0, 0],
      [4, Number.NaN],
      [5000, 999],
      [1, 5],
    ] as const) {
      expect(of(lasting(4.0123), acid(beats, bpm)).bpm).toBeNull();
    }
    const because = (seconds: number) =>
      of(lasting(seconds), acid(16, 120)).because.includes("ACID");
    expect([7.9885, 7.9905, 8.0095, 8.0115].map(because)).toEqual([false, true, true, false]);
  });

  test("is doubled or halved only by a style in the name", () => {
    const file = beatsAt(8, 87);
    expect(of(file, acid(8, 87)).bpm).toBe(87);
    expect(of(file, acid(8, 87), "DnB Beat.wav")).toMatchObject({ bpm: 174, lengthBeats: 16 });
    expect(of(file, acid(8, 87), "Beat 174.wav")).toMatchObject({ bpm: 174, lengthBeats: 16 });
  });

  test("counts in a smpl chunk only if its loop is the whole file", () => {
    const file = lasting(4.0123);
    const whole = (later: number) => ({
      sampler: { startFrame: 0, endFrame: file.frames - 1 + later },
    });
    expect(of(file, whole(0))).toMatchObject({ lengthBeats: 8, bpm: 119.632, kind: "loop" });
    expect(of(file, whole(1)).bpm).toBe(119.632);
    for (const later of [-500, -1, 2]) expect(of(file, whole(later)).bpm).toBeNull();
  });
});
