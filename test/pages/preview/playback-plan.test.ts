import { expect, test } from "vitest";
import {
  planPlayback,
  type PlayableTrack,
  type PlannedPart,
} from "../../../pages/kit/playback/plan-playback.ts";
import { audibleSounds, soundKey } from "../../../pages/kit/playback/scene-view.ts";

/** Four beats at 120 BPM. */
const LOOP: PlayableTrack = {
  id: "groove",
  revision: "1",
  bytes: 176_444,
  frames: 88_200,
  sampleRateHz: 44_100,
  looping: true,
  warp_mode: "beats",
  loop_beats: 4,
  tempo_bpm: 120,
  gain_db: 0,
};

function planOne(track: Partial<PlayableTrack>, tempoBpm = 120): Partial<PlannedPart> | undefined {
  return planPlayback([{ ...LOOP, ...track }], tempoBpm)[0];
}

test("[V8] a loop at the scene's tempo plays as it is, pass after pass", () => {
  expect(planOne({})).toEqual({
    soundId: "groove",
    timing: "beats",
    rate: 1,
    isStretched: false,
    method: null,
    heardSeconds: 2,
    passSeconds: 2,
    gain: 1,
    problem: null,
  });
});

test.each([
  [90, 0.75, 4 * (60 / 90)],
  [180, 1.5, 4 / 3],
  [60, 0.5, 4],
])("[V8] at %d BPM a loop of 120 BPM is stretched", (tempoBpm, rate, passSeconds) => {
  expect(planOne({}, tempoBpm)).toMatchObject({
    isStretched: true,
    rate,
    passSeconds,
    heardSeconds: 2,
  });
});

test("[V8] treats tempi that differ only by rounding as equal", () => {
  const thirds = { tempo_bpm: 133.333333 };
  expect(planOne(thirds, 400 / 3)).toMatchObject({ isStretched: false, rate: 1 });
  expect(planOne(thirds, 133.334)).toMatchObject({ isStretched: true });
});

test("[V8] plays nothing of a file past its loop, and silence in a loop past its file", () => {
  expect(planOne({ frames: 100_000 })).toMatchObject({ heardSeconds: 2, passSeconds: 2 });
  expect(planOne({ frames: 66_150 })).toMatchObject({ heardSeconds: 1.5, passSeconds: 2 });
  expect(planOne({ frames: 66_150 }, 60)).toMatchObject({ heardSeconds: 1.5, passSeconds: 4 });
});

test("[V8] a length without a tempo fills the file; with neither, the file plays at its own speed", () => {
  const noTempo = { tempo_bpm: null };
  expect(planOne({ ...noTempo, loop_beats: 2 }, 90)).toMatchObject({
    timing: "beats",
    rate: 1.5,
    passSeconds: 2 * (60 / 90),
  });
  expect(planOne({ ...noTempo, loop_beats: null }, 90)).toMatchObject({
    timing: "guessed",
    rate: 1,
    isStretched: false,
    passSeconds: 2,
  });
});

test("[V8] a one-shot plays once, as it is, whatever the tempo", () => {
  const kick = { looping: false, loop_beats: null, tempo_bpm: null };
  for (const tempoBpm of [20, 120, 999]) {
    expect(planOne(kick, tempoBpm)).toMatchObject({
      timing: "once",
      rate: 1,
      isStretched: false,
      passSeconds: null,
      heardSeconds: 2,
    });
  }
});

test("[V8] gains are factors, and -70 dB is still one", () => {
  const gainOf = (db: number) => planOne({ gain_db: db })?.gain;
  expect(gainOf(-6)).toBeCloseTo(0.5012, 4);
  expect(gainOf(24)).toBeCloseTo(15.849, 3);
  expect(gainOf(-70)).toBeCloseTo(0.000316, 6);
});

test("[V8] says when a sound is too large, or too short at the tempo", () => {
  expect(planOne({ bytes: 64_000_001 })?.problem).toBe("This sound is too large to play here.");
  const tiny = { loop_beats: 0.02, frames: 441 };
  expect(planOne(tiny, 60)?.problem).toBeNull();
  expect(planOne(tiny, 240)?.problem).toBe("This loop is too short to play at this tempo.");
});

test("[V9] plays only sounds on solo in their scene, and never muted ones", () => {
  const ids = ["a", "b", "c"];
  const heard = (muted: readonly string[], soloed: readonly string[]) => [
    ...audibleSounds(
      {
        muted: new Set(muted.map((id) => soundKey("kit", id))),
        soloed: new Set(soloed.map((id) => soundKey("kit", id))),
      },
      "kit",
      ids,
    ),
  ];
  expect(heard([], [])).toEqual(ids);
  expect(heard(["b"], [])).toEqual(["a", "c"]);
  expect(heard([], ["b", "c"])).toEqual(["b", "c"]);
  expect(heard(["b"], ["b"])).toEqual([]);
  expect(heard([], ["no longer there"])).toEqual(ids);
  const elsewhere = { muted: new Set<string>(), soloed: new Set([soundKey("other", "a")]) };
  expect([...audibleSounds(elsewhere, "kit", ids)]).toEqual(ids);
});
