import { writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { refusalsIn, violationsIn } from "./fake-live-log.ts";
import { CLIP, SHORT_LOOP, probe, soundFile } from "./probe-live.ts";

const SAY_CLIP = "say(clip().warping, clip().looping, ends())";

describe("a new clip in the fake Live", () => {
  test("is warped, with drifting markers, and starts late", async () => {
    const { said } = await probe([
      `${CLIP}\nsay(clip().warping, clip().looping, markers(), ends())`,
    ]);
    const [warping, looping, markers, ends] = said as [
      boolean,
      boolean,
      [number, number][],
      number[],
    ];
    expect([warping, looping]).toEqual([true, false]);
    expect(markers).toHaveLength(6);
    expect(markers[0]).toEqual([0.5, 0]);
    const tempos = markers.slice(1).map(([seconds, beat], index) => {
      const [before = 0, beatBefore = 0] = markers[index] ?? [];
      return (60 * (beat - beatBefore)) / (seconds - before);
    });
    [123.6, 116.4, 123.6, 116.4, 116.4].forEach((tempo, index) =>
      expect(tempos[index]).toBeCloseTo(tempo),
    );
    expect([ends[0], ends[2]]).toEqual([0, 0]);
  });

  test("may be unwarped and start late, in seconds", async () => {
    const habits = { fresh: "unwarped", startMovedSeconds: 1.5 } as const;
    const { said } = await probe([`${CLIP}\n${SAY_CLIP}`], { habits });
    expect(said).toEqual([false, false, [1.5, 4, 1.5, 4]]);
  });

  test("may be a short loop with one marker and the hidden one, at 90 BPM", async () => {
    const habits = { fresh: "short loop", guess: 90 } as const;
    const { said } = await probe([`${CLIP}\n${SAY_CLIP}\nsay(markers())`], { habits });
    const [warping, looping, ends, markers] = said;
    expect([warping, looping, ends]).toEqual([true, true, [0, 6, 0, 6]]);
    expect(markers).toEqual([
      [0, 0],
      [expect.closeTo(0.010416, 5), 0.015625],
    ]);
  });

  test.each([
    [8, 120, 120],
    [12, 120, 160],
    [20, 100, 160],
    [14, 140, 160],
    [12, 90, 120],
  ])("guesses powers of two: %i beats at %i BPM are heard as %i", async (beats, bpm, heard) => {
    const habits = { fresh: "short loop" } as const;
    const { set } = await probe([CLIP], { habits, seconds: (beats * 60) / bpm });
    const [seconds = 0, beat = 0] = set.tracks[1]?.clips[0]?.shadow ?? [];
    expect((60 * beat) / seconds).toBeCloseTo(heard);
  });

  test("takes over what was saved beside the file", async () => {
    const asd = JSON.stringify({ gain: 0.2, pitch_coarse: 3, pitch_fine: 7.0, warping: false });
    const { said } = await probe(
      [
        `${CLIP}\nsay(clip().warping, clip().pitch_coarse, clip().pitch_fine, clip().gain_display_string)`,
      ],
      { asd },
    );
    expect(said).toEqual([false, 3, 7, "−16.5 dB"]);
  });

  test("may change when a slow analysis is done", async () => {
    const habits = { analysisTicks: 3, fresh: "auto-warped" } as const;
    const say = "say(len(markers()))";
    const { said } = await probe([`${CLIP}\n${say}\nclip().warping = True`, say, say, say], {
      habits,
    });
    expect(said).toEqual([2, 2, 2, 6]);
    const kept = { ...habits, analysisOverwrites: "untouched" } as const;
    const again = await probe([`${CLIP}\nclip().warping = True`, "", "", say], { habits: kept });
    expect(again.said).toEqual([2]);
  });

  test("needs an empty slot of an audio track, a WAV and an absolute path", async () => {
    const other = await soundFile();
    await writeFile(`${other}.txt`, "no sound");
    const create = (path: string, track = 1) =>
      `attempt("song().tracks[${track}].clip_slots[0].create_audio_clip(${path})")`;
    const { log } = await probe([
      `${create("'Beat.wav'")}\n${create(`'${other}.txt'`)}\n${create("sound", 0)}\n${create("sound")}\n${create("sound")}\n${create("7")}`,
    ]);
    expect(log.faults.map(({ name }) => name)).toEqual([
      "BAD_PATH",
      "BAD_PATH",
      "NOT_AN_AUDIO_TRACK",
      "FULL_SLOT",
      "WRONG_TYPE",
    ]);
  });

  test("can't be made before 12.0.5", async () => {
    const { said } = await probe([`attempt(${JSON.stringify(CLIP.trim().split("\n")[1])})`], {
      habits: { version: "12.0.4" },
    });
    expect(said).toEqual([expect.stringContaining("AttributeError")]);
  });
});

describe("warping in the fake Live", () => {
  test("takes effect after the tick, and turns seconds into beats", async () => {
    const { said } = await probe([`${CLIP}\nclip().warping = True\n${SAY_CLIP}`, SAY_CLIP], {
      habits: { fresh: "unwarped", startMovedSeconds: 0, firstMarkerSeconds: 0, drift: 0 },
    });
    expect(said.slice(0, 3)).toEqual([false, false, [0, 4, 0, 4]]);
    const ends = [0, expect.closeTo(8), 0, expect.closeTo(8)];
    expect(said.slice(3)).toEqual([true, false, ends]);
  });

  test("may take effect some ticks later", async () => {
    const say = "say(clip().warping)";
    const { said } = await probe([`${CLIP}\nclip().warping = False`, say, say, say], {
      habits: { warpingAfterTicks: 2 },
    });
    expect(said).toEqual([true, false, false]);
  });

  test("keeps the numbers when it is turned off, so that the clip ends behind its file", async () => {
    const { said, set } = await probe([`${CLIP}\nclip().warping = False`, SAY_CLIP], {
      habits: SHORT_LOOP,
    });
    expect(said).toEqual([false, true, [0, 8, 0, 8]]);
    expect(set.tracks[1]?.clips[0]).toMatchObject({ endSeconds: 8, frames: 32_000 });
  });

  test("and looping in one tick crash before 12.1.5", async () => {
    const both = `${CLIP}\nclip().warping = True\nclip().looping = True`;
    const { log } = await probe([both], { habits: { version: "12.1.5" } });
    expect(violationsIn(log)).toEqual(["WARPING_AND_LOOPING_IN_ONE_TICK"]);
    await expect(probe([both], { habits: { version: "12.1.4" } })).rejects.toThrow("crashed");
  });

  test("comes with a loop", async () => {
    const { said, log } = await probe([`${CLIP}\nclip().looping = True\n${SAY_CLIP}`], {
      habits: { fresh: "unwarped" },
    });
    expect(said.slice(0, 2)).toEqual([true, true]);
    expect(violationsIn(log)).toEqual(["LOOPING_TURNS_WARP_ON"]);
  });
});

describe("loop and start in the fake Live", () => {
  test("are apart while the clip loops", async () => {
    const { said } = await probe(
      [
        `${CLIP}\nclip().loop_start = 2.0\nclip().start_marker = 1.0\nclip().end_marker = 7.0\nsay(ends())`,
      ],
      { habits: SHORT_LOOP },
    );
    expect(said).toEqual([[2, 8, 1, 7]]);
  });

  test("are one without a loop; a start is ignored, an end reads back, and the old loop returns", async () => {
    const { said, set, log } = await probe(
      [
        `${CLIP}\nclip().loop_start = 2.0\nclip().looping = False`,
        "say(ends())\nclip().start_marker = 1.0\nclip().end_marker = 7.0\nsay(ends())",
        "clip().loop_end = 6.0\nsay(ends())",
        "clip().looping = True\nsay(ends())",
      ],
      { habits: SHORT_LOOP },
    );
    expect(said).toEqual([
      [0, 8, 0, 8],
      [0, 8, 0, 7],
      [0, 6, 0, 6],
      [2, 8, 0, 6],
    ]);
    expect(set.tracks[1]?.clips[0]?.brace).toEqual([2, 8]);
    expect(violationsIn(log)).toEqual(["START_BEFORE_LOOPING", "END_MARKER_WITHOUT_LOOPING"]);
  });

  test("refuse an end before the start, and places outside the file", async () => {
    const lines = [
      "clip().loop_start = 8.0",
      "clip().loop_end = 8.1",
      "clip().loop_start = -0.1",
      "clip().start_marker = 9.0",
    ].map((line) => `attempt("${line}")`);
    const { said, set, log } = await probe([[CLIP, ...lines].join("\n")], { habits: SHORT_LOOP });
    expect(said[0]).toBe("RuntimeError: Cannot set LoopStart behind LoopEnd");
    expect(refusalsIn(log)).toEqual([
      "START_BEHIND_END",
      "LOOP_END_PAST_THE_FILE",
      "LOOP_START_BEFORE_THE_FILE",
    ]);
    expect(set.tracks[1]?.clips[0]).toMatchObject({ brace: [0, 8], play: [0, 8] });
    const habits = { ...SHORT_LOOP, allowsPastFile: true };
    const wide = await probe([`${CLIP}\nclip().loop_end = 12.0\nsay(ends())`], { habits });
    expect(wide.said).toEqual([[0, 12, 0, 8]]);
  });
});

describe("gain in the fake Live", () => {
  test("is 40 v − 16 dB from 0.4 up, and another curve below", async () => {
    const values = [1, 0.85, 0.4, 0.35, 0.3, 0.25, 0.2, 0.1, 0];
    const lines = values.map(
      (value) => `clip().gain = float(${value})\nsay(clip().gain_display_string)`,
    );
    const { said } = await probe([[CLIP, ...lines].join("\n")]);
    expect(said).toEqual([
      "24.0 dB",
      "18.0 dB",
      "0.0 dB",
      "−2.6 dB",
      "−6.1 dB",
      "−10.8 dB",
      "−16.5 dB",
      "−30.7 dB",
      "-inf dB",
    ]);
  });

  test("and volume are 32-bit floats, and take no more than 1", async () => {
    const lines = `
clip().gain = 0.3
volume = song().tracks[1].mixer_device.volume
say(clip().gain, volume.value, volume.str_for_value(0.85))
attempt("clip().gain = 1.01")`;
    const { said } = await probe([CLIP + lines]);
    expect(said[0]).toBe(Math.fround(0.3));
    expect(said[1]).toBe(Math.fround(0.85));
    expect(said.slice(2)).toEqual(["0.0 dB", "RuntimeError: Invalid gain"]);
  });
});
