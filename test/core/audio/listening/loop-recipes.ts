import { beat, place, play, wash } from "../../../../fixtures/synth/canvas.ts";
import {
  clap,
  hat,
  kick,
  ride,
  rim,
  shaker,
  snare,
  tom,
} from "../../../../fixtures/synth/drums.ts";
import { chords, line } from "../../../../fixtures/synth/notes.ts";
import { echo } from "../../../../fixtures/synth/space.ts";
import { air, grains } from "../../../../fixtures/synth/textures.ts";
import {
  acidBass,
  bell,
  electricPiano,
  lead,
  pad,
  pluck,
  reeseBass,
  rubberBass,
  stab,
  subBass,
} from "../../../../fixtures/synth/tones.ts";
import { singing } from "../../../../fixtures/synth/voice.ts";
import { drums, layered, loosely, type LoopPainter, notes, repeated } from "./loop-painters.ts";

const house = drums(({ studio }) => [
  ["X...X...X...X...", kick(studio, { drive: 2 }), 1],
  ["....X.......X...", clap(studio), 0.6],
  ["..X...X...X...X.", hat(studio, { decaySeconds: 0.18 }), 0.35],
  ["x.o.x.o.x.o.x.oo", hat(studio), 0.2],
]);

const boomBap = drums(({ studio }) => [
  ["X......x ..x..... X..x.... x.x.....", kick(studio, { tuneHz: 52, decaySeconds: 0.3 }), 1],
  ["....X... ....X..o ....X... .o..X...", snare(studio, { tuneHz: 172 }), 0.85],
  ["x.x.x.x. x.x.x.xo x.x.x.x. x.xox.x.", hat(studio), 0.35],
]);

/** Loops by name: the pattern of one or more bars is repeated to the loop's end. */
export const LOOPS: Readonly<Record<string, LoopPainter>> = {
  house,
  "boom-bap": boomBap,
  "drum-and-bass": drums(({ studio }) => [
    ["X.........X.....", kick(studio, { tuneHz: 55, decaySeconds: 0.2 }), 1],
    ["....X.......X..o", snare(studio, { tuneHz: 205, decaySeconds: 0.16 }), 0.9],
    ["X.x.X.x.X.x.X.xo", ride(studio, { decaySeconds: 0.3 }), 0.3],
  ]),
  break: drums(({ studio }) => [
    ["X.X.......XX.... X.X.......X.....", kick(studio, { decaySeconds: 0.2 }), 1],
    ["....X..o.o..X..o ....X..o.o....X.", snare(studio, { brightHz: 5600 }), 0.9],
    ["x.x.x.x.x.x.x.x.", hat(studio, { decaySeconds: 0.08 }), 0.35],
  ]),
  trap: drums(({ studio }) => [
    ["X.....x...x.....", kick(studio, { tuneHz: 42, decaySeconds: 0.6 }), 1],
    ["........X.......", clap(studio), 0.8],
    ["x.x.x.x.x.xxxxx.", hat(studio, { decaySeconds: 0.035 }), 0.3],
  ]),
  "half-time": drums(({ studio }) => [
    ["X.........x.....", kick(studio, { decaySeconds: 0.4 }), 1],
    ["........X.......", snare(studio, { decaySeconds: 0.3 }), 0.9],
    ["x.x.x.x.x.x.x.x.", hat(studio), 0.3],
  ]),
  "double-time": drums(({ studio }) => [
    ["X...X...X...X...", kick(studio, { decaySeconds: 0.2 }), 1],
    ["..X...X...X...X.", snare(studio, { decaySeconds: 0.14 }), 0.85],
    ["xxxxxxxxxxxxxxxx", hat(studio), 0.3],
  ]),
  rock: drums(({ studio }) => [
    ["X.......X.x.....", kick(studio), 1],
    ["....X.......X...", snare(studio), 0.9],
    ["X.x.X.x.X.x.X.x.", hat(studio, { decaySeconds: 0.09 }), 0.35],
  ]),
  techno: drums(({ studio }) => [
    ["X...X...X...X...", kick(studio, { drive: 4, decaySeconds: 0.3 }), 1],
    [".ox.oox..ox.oox.", rim(studio), 0.25],
    ["..x...x...x...x.", hat(studio, { decaySeconds: 0.1 }), 0.4],
  ]),
  shaker: drums(({ studio }) => [["Xoxo", shaker(studio), 0.8]]),
  hats: drums(({ studio }) => [
    ["XoxoXoxoXoxoXoxx", hat(studio), 0.7],
    ["..............x.", hat(studio, { decaySeconds: 0.25 }), 0.5],
  ]),
  congas: drums(({ studio }) => [
    ["..x.X.x...xxX...", tom(studio, { tuneHz: 230, decaySeconds: 0.15, slap: 0.4 }), 0.9],
    ["X......xX.......", tom(studio, { tuneHz: 160, decaySeconds: 0.25 }), 1],
    ["x.o.x.o.x.o.x.o.", shaker(studio), 0.3],
  ]),
  dembow: drums(({ studio }) => [
    ["X...X...X...X...", kick(studio), 1],
    ["...X..X....X..X.", snare(studio, { decaySeconds: 0.12 }), 0.8],
    ["x.x.x.x.x.x.x.x.", hat(studio), 0.25],
  ]),
  waltz: drums(({ studio }) => [
    ["X...........", kick(studio), 1],
    ["....x...x...", rim(studio), 0.7],
    ["x.x.x.x.x.x.", hat(studio), 0.25],
  ]),
  /** Two dotted beats a bar of three. */
  "six-eight": drums(({ studio }) => [
    ["X...........", kick(studio), 1],
    ["......X.....", snare(studio), 0.9],
    ["X.x.x.X.x.x.", hat(studio, { decaySeconds: 0.08 }), 0.35],
  ]),
  shuffle: (canvas, playing) => {
    const { studio } = canvas;
    const on = (beats: readonly number[], velocity = 1) =>
      loosely(
        canvas,
        repeated(
          beats.map((at) => ({ beat: at, velocity })),
          4,
          playing,
        ),
        playing,
      );
    beat(canvas, on([0, 2, 2 + 2 / 3]), kick(studio));
    beat(canvas, on([1, 3]), snare(studio), 0.9);
    beat(canvas, on([0, 2 / 3, 1, 5 / 3, 2, 8 / 3, 3, 11 / 3], 0.7), ride(studio), 0.5);
  },
  "three-on-four": (canvas, playing) => {
    const { studio } = canvas;
    const on = (every: number) => repeated([{ beat: 0, velocity: 0.9 }], every, playing);
    beat(canvas, loosely(canvas, on(1), playing), rim(studio), 0.8);
    beat(canvas, loosely(canvas, on(4 / 3), playing), tom(studio, { tuneHz: 180 }), 0.7);
    beat(canvas, on(4), kick(studio));
  },
  "kick-on-one": drums(({ studio }) => [["X...............", kick(studio), 1]]),
  "claps-only": drums(({ studio }) => [["....X.......X...", clap(studio), 1]]),
  "two-hits": drums(({ studio }) => [
    ["X.........x.....", tom(studio, { tuneHz: 90, decaySeconds: 0.5 }), 1],
  ]),
  "sub-walk": notes(
    line("F1/1.5! -/0.5 F1/0.5 G1/0.5 Ab1/1! C2/1.5! -/0.5 Bb1/0.5 Ab1/0.5 Eb1/1"),
    8,
    subBass,
  ),
  acid: notes(
    line("F2/0.25! F2/0.25 F3/0.25! -/0.25 Ab2/0.25 F2/0.25! Eb3/0.25 C3/0.25!"),
    2,
    acidBass,
  ),
  rubber: notes(
    line("-/0.5 F1/0.5! -/0.5 F1/0.5! -/0.5 Ab1/0.5! -/0.25 C2/0.25 Eb2/0.5!"),
    4,
    rubberBass,
  ),
  reese: notes(line("F1/3 Ab1/1 Eb1/4"), 8, reeseBass),
  "eighth-bass": notes(
    line("A1/0.5! A1/0.5 A1/0.5 A1/0.5 A1/0.5! A1/0.5 C2/0.5 E2/0.5"),
    4,
    rubberBass,
  ),
  keys: notes(
    chords("Cm7/1.5 -/0.5 Cm7/1 -/1 Abmaj7/1.5 -/0.5 Bb7/1 -/1", "G3"),
    8,
    electricPiano,
    { gain: 0.4, room: 1 },
  ),
  stabs: notes(chords("-/0.5 Dm7/0.25 -/0.75 Dm7/0.25 -/1.25 Gm7/0.5 -/0.5", "A3"), 4, stab, {
    gain: 0.4,
  }),
  "pad-bars": notes(chords("Dm9/4 Bbmaj9/4", "A3"), 8, pad, { gain: 0.4, room: 2 }),
  "arp-16": notes(
    line("A3/0.25! C4/0.25 E4/0.25 A4/0.25 G4/0.25! E4/0.25 C4/0.25 B3/0.25"),
    2,
    pluck,
  ),
  "arp-8": notes(line("A3/0.5! E4/0.5 C4/0.5 A4/0.5 G3/0.5! D4/0.5 B3/0.5 G4/0.5"), 4, pluck),
  strum: notes(
    chords("Am/1 -/0.5 Am/0.5 -/0.5 Am/0.5 Am/1 G/1 -/0.5 G/0.5 -/0.5 G/0.5 G/1", "E3"),
    8,
    pluck,
    { gain: 0.5 },
  ),
  lead: notes(line("A4/0.75! C5/0.25 D5/1! -/0.5 E5/0.5 D5/0.5 C5/0.5"), 4, lead),
  bells: notes(line("-/1 A5/1 E6/1 -/2.5 D6/1 A5/0.5 -/1"), 8, bell, { room: 1.5 }),
  vocal: notes(
    line("A3/0.5! C4/0.5 D4/1! -/1.5 C4/0.5 A3/0.5! G3/0.5 A3/2! -/1"),
    8,
    singing("ah", "oh"),
    { room: 1.2 },
  ),
  chops: notes(
    line("-/0.5 A3/0.25 -/0.25 C4/0.25 -/0.75 A3/0.5 -/0.5 E4/0.25 -/0.75"),
    4,
    singing("ah"),
  ),
  mix: layered(
    house,
    notes(line("-/0.5 F1/0.5! -/0.5 F1/0.5! -/0.5 Ab1/0.5! -/0.5 C2/0.5"), 4, rubberBass),
    notes(chords("Fm7/4 Abmaj7/4", "A3"), 8, pad, { gain: 0.1 }),
  ),
  "mix-slow": layered(boomBap, notes(line("F1/2 Ab1/1.5 Eb1/0.5"), 4, subBass, { gain: 0.6 })),
  "dub-chords": (canvas, playing) => {
    play(canvas, repeated(chords("-/1 Am/0.25 -/2.75", "A3"), 4, playing), stab, 0.5);
    const seconds = (canvas.framesPerBeat * 0.75) / canvas.studio.rateHz;
    wash(canvas, echo(canvas.studio, { seconds, feedback: 0.6, wet: 0.5 }));
  },
  // Those of the second table alone.
  "two-step": drums(({ studio }) => [
    ["X.........X.....", kick(studio, { tuneHz: 50 }), 1],
    ["....X.......X...", snare(studio, { decaySeconds: 0.12, brightHz: 6000 }), 0.8],
    ["x.ox..ox.xox.oxx", hat(studio, { decaySeconds: 0.045 }), 0.4],
    [".......o.o......", rim(studio), 0.3],
  ]),
  bossa: drums(({ studio }) => [
    ["X.....X.X.....X.", kick(studio, { decaySeconds: 0.2 }), 0.8],
    ["x..x..x...x..x..", rim(studio), 0.7],
    ["oxoxoxoxoxoxoxox", shaker(studio), 0.35],
  ]),
  funk: drums(({ studio }) => [
    ["X.x...x...x..x..", kick(studio, { decaySeconds: 0.22 }), 1],
    ["....X..o.o..X..o", snare(studio), 0.85],
    ["xxxxxxxxxxxxxxxx", hat(studio), 0.25],
  ]),
  electro: drums(({ studio }) => [
    ["X.....X...X..... X..X..X...X.....", kick(studio, { decaySeconds: 0.5 }), 1],
    ["....X.......X... ....X.......X.X.", clap(studio), 0.7],
    ["x.xxx.x.x.xxx.x.", hat(studio), 0.3],
  ]),
  march: drums(({ studio }) => [
    ["X.......X.......", tom(studio, { tuneHz: 70, decaySeconds: 0.4 }), 1],
    ["x.xxx.xxx.xxxxxx", snare(studio, { decaySeconds: 0.1 }), 0.6],
  ]),
  triplets: notes(line("A3/0.3333! C4/0.3333 E4/0.3334 G3/0.3333! C4/0.3333 E4/0.3334"), 2, pluck),
  "pluck-bass": notes(
    line("E1/0.5! -/0.25 E1/0.25 G1/0.5 -/0.5 A1/0.75! B1/0.25 D2/0.5 E2/0.5!"),
    4,
    rubberBass,
  ),
  "keys-comp": notes(
    chords("Em7/0.5! -/0.25 Em7/0.75 -/0.5 Am7/0.5! -/0.25 Am7/0.25 -/0.5 B7/0.5", "G3"),
    4,
    electricPiano,
    { gain: 0.4 },
  ),
  band: layered(
    drums(({ studio }) => [
      ["X.......X.x.....", kick(studio), 1],
      ["....X.......X...", snare(studio), 0.9],
      ["X.x.X.x.X.x.X.xo", hat(studio, { decaySeconds: 0.09 }), 0.3],
    ]),
    notes(line("E1/0.5! E1/0.5 E1/0.5 G1/0.5 A1/0.5! A1/0.5 B1/0.5 D2/0.5"), 4, rubberBass, {
      gain: 0.6,
    }),
    notes(chords("Em/1.5 -/0.5 G/1 D/1", "E3"), 4, pluck, { gain: 0.3, room: 0.8 }),
  ),
  wind: (canvas) => {
    place(canvas, 0, air(canvas.studio, canvas.seconds, { toneHz: 900, swells: 2 }));
  },
  rain: (canvas) => {
    place(canvas, 0, grains(canvas.studio, canvas.seconds, { perSecond: 60, lowHz: 2200 }));
  },
};
