import { describe, expect, test } from "vitest";
import { refusalsIn, violationsIn } from "./fake-live-log.ts";
import { CLIP, SHORT_LOOP, probe } from "./probe-live.ts";

const add = (seconds: string, beat: string) =>
  `clip().add_warp_marker(Live.Clip.WarpMarker(${seconds}, ${beat}))`;
const attempt = (line: string) => `attempt("${line}")`;
const lines = (...texts: string[]) => [CLIP, ...texts].join("\n");
const SAY = "say(markers())";
const HIDDEN_AFTER_FOUR_SECONDS = [4.007_812_5, 8.015_625];

describe("warp markers in the fake Live", () => {
  test("are added in seconds and beats, and twice the same is one", async () => {
    const { said, log } = await probe([lines(add("4.0", "8.0"), add("4.0", "8.0"), SAY)], {
      habits: SHORT_LOOP,
    });
    expect(said).toEqual([[[0, 0], [4, 8], HIDDEN_AFTER_FOUR_SECONDS]]);
    expect(log.faults).toEqual([]);
  });

  test("are real ones, made of floats in their order", async () => {
    const { said, log } = await probe(
      [
        lines(
          attempt(add("2", "4.0")),
          attempt("clip().add_warp_marker({'sample_time': 2.0, 'beat_time': 4.0})"),
          attempt("clip().add_warp_marker((2.0, 4.0))"),
          attempt(add("sample_time=2.0", "beat_time=4.0")),
        ),
      ],
      { habits: SHORT_LOOP },
    );
    expect(said).toHaveLength(4);
    for (const text of said) expect(text).toMatch(/^ArgumentError/);
    expect(violationsIn(log)).toEqual(["INT_FOR_FLOAT", "WRONG_TYPE", "KEYWORDS_FOR_A_MARKER"]);
  });

  test("take keywords where Live does", async () => {
    const { said } = await probe([lines(add("sample_time=4.0", "beat_time=8.0"), SAY)], {
      habits: { ...SHORT_LOOP, markerKeywords: true },
    });
    expect(said).toEqual([[[0, 0], [4, 8], HIDDEN_AFTER_FOUR_SECONDS]]);
  });

  test("stand in the same order in seconds and beats", async () => {
    const { said, log } = await probe(
      [
        lines(
          add("2.0", "4.0"),
          attempt(add("1.0", "5.0")),
          attempt(add("3.0", "3.0")),
          attempt(add("2.5", "4.0")),
        ),
      ],
      { habits: SHORT_LOOP },
    );
    expect(new Set(said)).toEqual(new Set(["RuntimeError: Segment length out of range"]));
    expect(refusalsIn(log)).toEqual(["NEIGHBOR_BLOCKS"]);
  });

  test.each([
    ["1.0", String(5 / 60), "done"],
    ["1.0", String(4.99 / 60), "RuntimeError: Segment length out of range"],
    ["1.0", String(999 / 60), "done"],
    ["1.0", String(999.1 / 60), "RuntimeError: Segment length out of range"],
  ])("are 5 to 999 BPM apart: %s s and beat %s are %s", async (seconds, beat, outcome) => {
    const { said } = await probe([lines(attempt(add(seconds, beat)))], { habits: SHORT_LOOP });
    expect(said).toEqual([outcome]);
  });

  test("lie within the file", async () => {
    const texts = lines(attempt(add("4.001", "8.0")), attempt(add("4.0", "8.0")));
    const refused = "RuntimeError: Warp marker sample time is out of range";
    const { said } = await probe([texts], { habits: SHORT_LOOP });
    expect(said).toEqual([refused, "done"]);
    const strict = await probe([texts], { habits: { ...SHORT_LOOP, markerAtFileEnd: false } });
    expect(strict.said).toEqual([refused, refused]);
  });

  test("need a warped clip", async () => {
    const { said, log } = await probe([lines(attempt(add("4.0", "8.0")))], {
      habits: { fresh: "unwarped" },
    });
    expect(said).toEqual(["RuntimeError: Clip is not warped"]);
    expect(refusalsIn(log)).toEqual(["MARKERS_WITHOUT_WARPING"]);
  });

  test("are moved by beats, within their neighbors", async () => {
    const { said } = await probe(
      [
        lines(
          add("2.0", "4.0"),
          add("4.0", "8.0"),
          "clip().move_warp_marker(4.0, 0.5)",
          SAY,
          attempt("clip().move_warp_marker(4.5, 4.0)"),
          attempt("clip().move_warp_marker(1.0, 0.5)"),
        ),
      ],
      { habits: SHORT_LOOP },
    );
    expect((said[0] as unknown[]).slice(0, 3)).toEqual([
      [0, 0],
      [2, 4.5],
      [4, 8],
    ]);
    expect(said.slice(1)).toEqual([
      "RuntimeError: Segment length out of range",
      "RuntimeError: Warp marker doesn't exist",
    ]);
  });

  test.each(["doesn't exist", "can't be deleted"] as const)(
    "have a hidden last one that stays: %s",
    async (shadowRemoval) => {
      const { said } = await probe(
        [
          lines(
            attempt("clip().remove_warp_marker(0.015625)"),
            attempt("clip().move_warp_marker(0.015625, 1.0)"),
            attempt("clip().remove_warp_marker(0.0)"),
            SAY,
          ),
        ],
        { habits: { ...SHORT_LOOP, shadowRemoval } },
      );
      expect(said).toEqual([
        `RuntimeError: Warp marker ${shadowRemoval}`,
        "RuntimeError: The shadow marker can't be moved.",
        "RuntimeError: Warp marker can't be deleted",
        [
          [0, 0],
          [0.007_812_5, 0.015_625],
        ],
      ]);
    },
  );

  test.each([
    ["last segment", 120],
    ["own", 90],
  ] as const)("have a last tempo: %s", async (shadowSlope, bpm) => {
    const { set } = await probe([lines(add("4.0", "8.0"))], {
      habits: { fresh: "short loop", guess: 90, shadowSlope },
    });
    const [seconds = 0, beat = 0] = set.tracks[1]?.clips[0]?.shadow ?? [];
    expect((60 * (beat - 8)) / (seconds - 4)).toBeCloseTo(bpm);
  });

  test("wait until warping has taken effect", async () => {
    const both = lines("clip().warping = True", attempt(add("4.0", "8.0")));
    const { said, log } = await probe([both], { habits: SHORT_LOOP });
    expect(said).toEqual(["RuntimeError: The clip is being warped"]);
    expect(violationsIn(log)).toEqual(["WARPING_AND_MARKERS_IN_ONE_TICK"]);
    const habits = { ...SHORT_LOOP, warpingAndMarkers: "crash" } as const;
    await expect(probe([both], { habits })).rejects.toThrow("crashed");
  });

  test("with swapped arguments are recognized", async () => {
    const swapped = lines(attempt(add("4.0", "3.0")));
    const { log } = await probe([swapped], {
      habits: { ...SHORT_LOOP, files: { "Beat.wav": { trueBpm: 80 } } },
    });
    expect(violationsIn(log)).toEqual(["MARKER_ARGUMENTS_SWAPPED"]);
  });
});
