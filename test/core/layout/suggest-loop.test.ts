import { describe, expect, test } from "vitest";
import { suggestLoop } from "../../../core/layout/suggest-loop.ts";

/** A file of so many seconds. */
function lasting(seconds: number, sampleRateHz = 44_100) {
  return { frames: Math.round(seconds * sampleRateHz), sampleRateHz };
}
const acid = (beats: number, tempoBpm: number, isOneShot = false) => ({
  acid: { beats, tempoBpm, isOneShot },
});
/** Lasts as long as so many beats at a tempo. */
const beatsAt = (beats: number, tempoBpm: number) => lasting((beats * 60) / tempoBpm);
/** The smpl chunk of a file whose loop is all of it, or ends so many frames later. */
const wholeLoop = ({ frames }: { readonly frames: number }, later = 0) => ({
  sampler: { startFrame: 0, endFrame: frames - 1 + later },
});

describe("[G3] a length that fits a whole tempo to the frame", () => {
  test("is suggested, the tempo nearest to 120 first", () => {
    expect(suggestLoop(lasting(8), {})).toEqual({
      lengthBeats: 16,
      tempoBpm: 120,
      because: "length",
    });
    expect(suggestLoop(beatsAt(8, 126), {})).toMatchObject({ lengthBeats: 8, tempoBpm: 126 });
    expect(suggestLoop(lasting(4.0123), {})).toBeNull();
    expect(suggestLoop(lasting(0.5), {})).toBeNull();
  });

  test("may be off by 1.5 frames, not by 2", () => {
    const { frames } = lasting(8);
    for (const off of [-1, 1]) {
      const file = { frames: frames + off, sampleRateHz: 44_100 };
      expect(suggestLoop(file, {})).toMatchObject({ lengthBeats: 16, tempoBpm: 120 });
    }
    for (const off of [-2, 2]) {
      expect(suggestLoop({ frames: frames + off, sampleRateHz: 44_100 }, {})).toBeNull();
    }
    // Four beats at 160 BPM are 16537.5 frames.
    expect(suggestLoop({ frames: 16_539, sampleRateHz: 11_025 }, {})).toMatchObject({
      lengthBeats: 4,
      tempoBpm: 160,
    });
    expect(suggestLoop({ frames: 16_540, sampleRateHz: 11_025 }, {})).toBeNull();
  });

  test("is nearest to 120 by ratio: 168 before 84, but 85 before 170", () => {
    expect(suggestLoop(beatsAt(4, 84), {})).toMatchObject({ lengthBeats: 8, tempoBpm: 168 });
    expect(suggestLoop(beatsAt(4, 85), {})).toMatchObject({ lengthBeats: 4, tempoBpm: 85 });
  });

  test("needs at least 70 BPM and 0.9 s", () => {
    expect(suggestLoop(beatsAt(128, 70), {})).toMatchObject({ lengthBeats: 128, tempoBpm: 70 });
    expect(suggestLoop(beatsAt(128, 69), {})).toBeNull();
    expect(suggestLoop(beatsAt(2, 133), {})).toMatchObject({ lengthBeats: 2, tempoBpm: 133 });
    expect(suggestLoop(beatsAt(2, 134), {})).toBeNull();
  });

  test.each([2, 4, 8, 16, 32, 64, 128])("is common: %d beats", (beats) => {
    expect(suggestLoop(beatsAt(beats, 113), {})).toMatchObject({
      lengthBeats: beats,
      tempoBpm: 113,
    });
  });

  test.each([3, 6, 12, 24, 48])("is less common if no common one fits: %d beats", (beats) => {
    expect(suggestLoop(beatsAt(beats, 100), {})).toEqual({
      lengthBeats: beats,
      tempoBpm: 100,
      because: "length",
    });
    // At 120 BPM so many beats last as long as four thirds of them at 160.
    expect(suggestLoop(beatsAt(beats, 120), {})).toMatchObject({
      lengthBeats: (beats * 4) / 3,
      tempoBpm: 160,
    });
  });

  test("is never 5, 7 or 10 beats", () => {
    for (const beats of [5, 7, 10]) expect(suggestLoop(beatsAt(beats, 101), {})).toBeNull();
  });
});

describe("[G3] the package's tempo", () => {
  test("is suggested if a whole number of its beats matches the file's length", () => {
    expect(suggestLoop(lasting(6), {}, 90)).toEqual({
      lengthBeats: 9,
      tempoBpm: 90,
      because: "tempo",
    });
    expect(suggestLoop(lasting(6.02), {}, 90)).toBeNull();
  });

  test("may be off by a hundredth of a second, longer or shorter", () => {
    for (const seconds of [5.9905, 6.0095]) {
      expect(suggestLoop(lasting(seconds), {}, 90)).toMatchObject({ because: "tempo" });
    }
    for (const seconds of [5.9885, 6.0115]) {
      expect(suggestLoop(lasting(seconds), {}, 90)).toBeNull();
    }
  });

  test("yields 1 to 4096 beats", () => {
    const rate = 16_000;
    expect(suggestLoop(lasting(0.0625, rate), {}, 960)).toMatchObject({ lengthBeats: 1 });
    expect(suggestLoop(lasting(0.005, rate), {}, 960)).toBeNull();
    expect(suggestLoop(lasting(256, rate), {}, 960)).toMatchObject({ lengthBeats: 4096 });
    expect(suggestLoop(lasting(256.0625, rate), {}, 960)).toBeNull();
  });

  test("precedes a matching ACID chunk, but not its one-shot flag", () => {
    expect(suggestLoop(lasting(8), acid(8, 60), 90)).toMatchObject({ because: "tempo" });
    expect(suggestLoop(lasting(8), acid(8, 60, true), 90)).toBeNull();
  });
});

describe("[G3] an ACID chunk", () => {
  test("counts only if its beats at its tempo match the file's length", () => {
    const file = beatsAt(13, 97.3);
    const tempoBpm = Math.fround(97.3);
    expect(suggestLoop(file, acid(13, tempoBpm))).toEqual({
      lengthBeats: 13,
      tempoBpm: 97.3,
      because: "acid",
    });
    expect(suggestLoop(file, acid(16, tempoBpm))).toBeNull();
    expect(suggestLoop(lasting(8), acid(4, 120))).toMatchObject({ because: "length" });
    expect(suggestLoop(lasting(8), acid(16, 120, true))).toBeNull();
    for (const bad of [acid(0, 0), acid(4, Number.NaN), acid(5000, 999), acid(1, 5)]) {
      expect(suggestLoop(lasting(4.0123), bad)).toBeNull();
    }
  });

  test("may be off by a hundredth of a second, longer or shorter", () => {
    for (const seconds of [7.9905, 8.0095]) {
      expect(suggestLoop(lasting(seconds), acid(16, 120))).toMatchObject({ because: "acid" });
    }
    for (const seconds of [7.9885, 8.0115]) {
      expect(suggestLoop(lasting(seconds), acid(16, 120))).toBeNull();
    }
  });

  test("counts with a tempo of 20 to 999 BPM and 1 to 4096 beats", () => {
    const reason = (beats: number, tempoBpm: number) =>
      suggestLoop(beatsAt(beats, tempoBpm), acid(beats, tempoBpm))?.because;
    expect([reason(5, 20), reason(5, 19.9)]).toEqual(["acid", undefined]);
    expect([reason(5, 999), reason(5, 999.5)]).toEqual(["acid", undefined]);
    expect([reason(1, 500), reason(4096, 960)]).toEqual(["acid", "acid"]);
    expect(reason(4097, 960)).toBeUndefined();
    expect(suggestLoop(lasting(0.005), acid(0, 120))).toBeNull();
  });
});

describe("[G3] a sampler loop", () => {
  const file = lasting(4.0123);

  test("counts only if it covers the whole file", () => {
    expect(suggestLoop(file, wholeLoop(file))).toEqual({
      lengthBeats: 8,
      tempoBpm: 119.632,
      because: "smpl",
    });
    expect(suggestLoop(file, wholeLoop(file, 1))).toMatchObject({ because: "smpl" });
    for (const later of [-500, -1, 2]) {
      expect(suggestLoop(file, wholeLoop(file, later))).toBeNull();
    }
    const sampler = { startFrame: 100, endFrame: file.frames - 1 };
    expect(suggestLoop(file, { sampler })).toBeNull();
  });

  test("yields the whole tempo that matches the length, if any", () => {
    const rarer = beatsAt(3, 100);
    expect(suggestLoop(rarer, wholeLoop(rarer))).toEqual({
      lengthBeats: 3,
      tempoBpm: 100,
      because: "smpl",
    });
  });

  test("yields 70 to 180 BPM, even for a short sound", () => {
    const suggested = (seconds: number) =>
      suggestLoop(lasting(seconds, 48_000), wholeLoop(lasting(seconds, 48_000)));
    expect(suggested(60 / 180)).toEqual({ lengthBeats: 1, tempoBpm: 180, because: "smpl" });
    expect(suggested(60 / 181)).toBeNull();
    expect(suggested((128 * 60) / 70)).toMatchObject({ lengthBeats: 128, tempoBpm: 70 });
    expect(suggested((128 * 60) / 69.9)).toBeNull();
  });
});
