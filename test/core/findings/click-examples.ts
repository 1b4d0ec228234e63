import type { Samples } from "../../../fixtures/synth/studio.ts";
import { kick, snare } from "../../../fixtures/synth/drums.ts";
import { beat, canvasFor, play } from "../../../fixtures/synth/canvas.ts";
import { chords, strokes } from "../../../fixtures/synth/notes.ts";
import { pad } from "../../../fixtures/synth/tones.ts";
import { type ExamplePackage, type Examples, one, RATE_HZ, sine } from "./example.ts";
import { leveled, loopOf, LOOPS, music, studioFor } from "./music.ts";

/** Adds a slope, so that the loop's end lies above its start and nothing else steps. */
function sloped(samples: Samples, step: number): Samples {
  return samples.map((sample, at) => sample + step * (at / samples.length - 0.5));
}

/** Cuts a loop where its end is farthest from its start, in its last tenth of a second. */
function cutMidWave(samples: Samples): Samples {
  const [first = 0] = samples;
  const from = samples.length - RATE_HZ / 10;
  let best = from;
  for (let at = from; at < samples.length; at += 1) {
    if (Math.abs((samples[at] ?? 0) - first) > Math.abs((samples[best] ?? 0) - first)) best = at;
  }
  return samples.slice(0, best + 1);
}

/** A drum that begins with a step, as where it was cut close. */
function cutClose(drum: Samples, seconds: number): Samples {
  return drum.slice(Math.round(seconds * RATE_HZ));
}

/** A pad that isn't wrapped around: it rings on where the file ends. */
function unwrapped(): Samples {
  const canvas = canvasFor(studioFor("unwrapped"), { bpm: 120, beats: 4, tailSeconds: 0.1 });
  play(canvas, chords("Am9/4", "G3"), pad);
  return canvas.samples;
}

/** A tone that fades out, and starts in full wave. */
function lateStart(peak: number): Samples {
  return sine(220, 2.001, peak)
    .slice(25)
    .map((sample, at) => sample * Math.exp(-at / 4000));
}

const closeKicks = music("close", ({ samples, ...canvas }) =>
  beat(
    { ...canvas, samples },
    strokes("X...X...X...X..."),
    cutClose(kick(canvas.studio, { click: 0 }), 0.003),
  ),
);
/** One drum a loop, so that no other step is like the one at the seam. */
const onceClose = (drum: Samples): Samples =>
  music("once", (canvas) => beat(canvas, strokes("X..............."), drum));
const square = sine(110, 2).map((sample) => Math.sign(sample) * 0.4);
const lateSnare = music("late", (canvas) =>
  beat(canvas, strokes("....X.......X..."), snare(canvas.studio)),
);
/** A clean loop with loud, bright hits elsewhere. */
const behindSnare = (step: number): Samples =>
  sloped(lateSnare, 0).map((sample, at) => sample + step * (at / lateSnare.length - 0.5));

const loops = Object.entries(LOOPS).map(([name, samples]): [string, ExamplePackage] => [
  name,
  one(samples),
]);

export const CLICKS: Examples = {
  code: "CLICK",
  right: {
    ...Object.fromEntries(loops),
    "a loop in 24 bits and stereo": one(
      [loopOf("a pad"), loopOf("a sub bass").slice(0, loopOf("a pad").length)],
      {},
      { depth: "24" },
    ),
    "a step that is just too small": one(
      sloped(
        loopOf("a sub bass").map((x) => x * 0.5),
        0.018,
      ),
    ),
    "a wave whose own steps are as large": one(square),
    "kicks that are all cut close": one(closeKicks),
    "one kick that is cut close": one(
      onceClose(cutClose(kick(studioFor("k"), { click: 0 }), 0.0002)),
    ),
    "a snare that is cut close": one(onceClose(cutClose(snare(studioFor("s")), 0.0005))),
    "a one-shot that ends in full wave": one(cutMidWave(loopOf("a pad")), { kind: "oneshot" }),
    "a tail behind the loop": one(Float64Array.from([...loopOf("a sub bass"), ...sine(80, 0.5)]), {
      bpm: 120,
      length_beats: 4,
    }),
    "a file that is a frame short of its beats": one(sine(100, 2).slice(0, -1), {
      bpm: 120,
      length_beats: 4,
    }),
    "a fade before the silence in a short file": one(
      sine(100, 1.9).map((sample, at) => sample * Math.min(1, (1.9 * RATE_HZ - at) / 2000)),
      { bpm: 120, length_beats: 4 },
    ),
    noise: one(Float64Array.from({ length: RATE_HZ }, studioFor("n").random).map((x) => x - 0.5)),
  },
  wrong: {
    "a sub bass that is cut in mid-wave": one(cutMidWave(loopOf("a sub bass"))),
    "a reese that is cut in mid-wave": one(cutMidWave(loopOf("a reese"))),
    "a pad that is cut in mid-wave": one(cutMidWave(loopOf("a pad"))),
    "a piano that is cut in mid-wave": one(cutMidWave(loopOf("an electric piano"))),
    "a pure tone that is a quarter wave too long": one(sine(100, 2.0025)),
    "a pure tone cut a hair too late": one(sine(110, 2 + 0.0002)),
    "a step that is just large enough": one(
      sloped(
        loopOf("a sub bass").map((x) => x * 0.5),
        0.03,
      ),
    ),
    "a step behind loud snares": one(behindSnare(0.3)),
    "a pad that still rings where the file ends": one(cutMidWave(leveled(unwrapped()))),
    "a loop that ends before its file, in mid-wave": one(sine(100, 3), {
      bpm: 120.06,
      length_beats: 4,
    }),
    "a file that ends in mid-wave before its loop does": one(sine(100, 1.8025), {
      bpm: 120,
      length_beats: 4,
    }),
    "one channel of two": one([loopOf("a pad"), sloped(loopOf("a pad"), 0.4)]),
    "a tone that starts in full wave out of silence": one(lateStart(0.3)),
  },
};
