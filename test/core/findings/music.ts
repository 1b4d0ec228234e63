import { beat, type Canvas, canvasFor, place, play, wash } from "../../../fixtures/synth/canvas.ts";
import { clap, hat, kick, shaker, snare } from "../../../fixtures/synth/drums.ts";
import { leveledLoop } from "../../../fixtures/synth/levels.ts";
import { chords, line, strokes } from "../../../fixtures/synth/notes.ts";
import { seededRandom } from "../../../fixtures/synth/random.ts";
import { reverb } from "../../../fixtures/synth/space.ts";
import type { Samples, Studio } from "../../../fixtures/synth/studio.ts";
import { air, grains } from "../../../fixtures/synth/textures.ts";
import {
  acidBass,
  electricPiano,
  lead,
  pad,
  pluck,
  reeseBass,
  rubberBass,
  subBass,
} from "../../../fixtures/synth/tones.ts";
import { RATE_HZ } from "./example.ts";

/** A studio for one example. */
export function studioFor(seed: string): Studio {
  return { rateHz: RATE_HZ, random: seededRandom(seed) };
}

/** A leveled loop of four beats at 120 BPM that wraps around, or that ends where its notes ring on. */
export function music(seed: string, paint: (canvas: Canvas) => void): Samples {
  const canvas = canvasFor(studioFor(seed), { bpm: 120, beats: 4 });
  paint(canvas);
  return leveled(canvas.samples);
}

export function leveled(samples: Samples): Samples {
  return leveledLoop([samples])[0] ?? samples;
}

/** Loops without a fault: drums, basses, melodies, textures. */
export const LOOPS: Readonly<Record<string, Samples>> = {
  "four on the floor": music("floor", (canvas) => {
    beat(canvas, strokes("X...X...X...X..."), kick(canvas.studio));
    beat(canvas, strokes("..x...x...x...x."), hat(canvas.studio), 0.5);
  }),
  "a break with swing": music("break", (canvas) => {
    beat(canvas, strokes("X..x..x...X.....", 0.6), kick(canvas.studio));
    beat(canvas, strokes("....X..o.o..X..o", 0.6), snare(canvas.studio), 0.8);
    beat(canvas, strokes("x.x.x.x.x.x.x.xx", 0.6), hat(canvas.studio), 0.4);
  }),
  "claps and shaker": music("claps", (canvas) => {
    beat(canvas, strokes("....X.......X..."), clap(canvas.studio));
    beat(canvas, strokes("xxxxxxxxxxxxxxxx"), shaker(canvas.studio), 0.5);
  }),
  "an open hat on the last sixteenth": music("open", (canvas) => {
    beat(canvas, strokes("X.....x...X....."), kick(canvas.studio));
    beat(canvas, strokes("...............X"), hat(canvas.studio, { decaySeconds: 0.5 }));
  }),
  "a sub bass": music("sub", (canvas) => play(canvas, line("F1/1.5! F1/0.5 Ab1/2"), subBass)),
  "an acid bass": music("acid", (canvas) =>
    play(canvas, line("F1/0.25! F2/0.25 Ab1/0.5 F1/1! Eb2/0.5 C2/0.5! F1/1"), acidBass),
  ),
  "a reese": music("reese", (canvas) => play(canvas, line("F1/2! Ab1/2"), reeseBass)),
  "a rubber bass": music("rubber", (canvas) =>
    play(canvas, line("-/0.5 F1/0.5! Ab1/1 C2/1! Eb2/1"), rubberBass),
  ),
  "a pad": music("pad", (canvas) => {
    play(canvas, chords("Am9/2 Fmaj7/2", "G3"), pad);
    wash(canvas, reverb(canvas.studio, { seconds: 1.4, wet: 0.4 }));
  }),
  "an electric piano": music("ep", (canvas) =>
    play(canvas, chords("Dm9/1.5 G7/2.5", "E3"), electricPiano),
  ),
  "plucked strings": music("pluck", (canvas) =>
    play(canvas, line("A3/0.5! C4/0.5 E4/1 D4/0.5! C4/0.5 A3/1"), pluck),
  ),
  "a lead": music("lead", (canvas) => play(canvas, line("A4/1! C5/1 E5/1! D5/1"), lead)),
  wind: music("wind", (canvas) => place(canvas, 0, air(canvas.studio, canvas.seconds))),
  crackle: music("crackle", (canvas) => place(canvas, 0, grains(canvas.studio, canvas.seconds))),
};

/** Loops whose wave is smooth enough that a small step is heard. */
export const SMOOTH = ["a sub bass", "a pad", "an electric piano", "a rubber bass"] as const;

export function loopOf(name: string): Samples {
  const samples = LOOPS[name];
  if (samples === undefined) throw new Error(`There is no loop ${name}.`);
  return samples;
}
