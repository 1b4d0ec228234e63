import { beat, type Canvas, play, wash } from "../../../../fixtures/synth/canvas.ts";
import { tom } from "../../../../fixtures/synth/drums.ts";
import { type Note, type Stroke, strokes } from "../../../../fixtures/synth/notes.ts";
import { reverb } from "../../../../fixtures/synth/space.ts";
import type { Samples } from "../../../../fixtures/synth/studio.ts";
import type { Instrument } from "../../../../fixtures/synth/tones.ts";

/** A way to play a loop. */
export interface Playing {
  readonly beats: number;
  /** Share of each pair of sixteenths that the first takes. */
  readonly swing: number;
  /** Each stroke and note is up to so many seconds early or late. */
  readonly looseSeconds: number;
  /** The last bar ends with a fill. */
  readonly fill: boolean;
}

/** Paints a loop onto a canvas. */
export type LoopPainter = (canvas: Canvas, playing: Playing) => void;

/** Repeats what one bar, or some bars, have until the loop's end. */
export function repeated<Each extends Stroke>(
  events: readonly Each[],
  everyBeats: number,
  { beats }: Pick<Playing, "beats">,
): readonly Each[] {
  const rounds = Math.ceil(beats / everyBeats);
  return Array.from({ length: rounds }, (_, round) =>
    events.map((one) => ({ ...one, beat: one.beat + round * everyBeats })),
  )
    .flat()
    .filter((one) => one.beat < beats - 0.001);
}

/** Moves each stroke or note a little. */
export function loosely<Each extends Stroke>(
  { studio, framesPerBeat }: Canvas,
  events: readonly Each[],
  { looseSeconds, beats }: Playing,
): readonly Each[] {
  if (looseSeconds === 0) return events;
  const most = (looseSeconds * studio.rateHz) / framesPerBeat;
  const moved = (at: number): number => Math.max(0, at + (studio.random() * 2 - 1) * most);
  return events.map((one) => ({ ...one, beat: Math.min(beats - 0.01, moved(one.beat)) }));
}

/** Drums from patterns of sixteenths; a pattern of any length is repeated. */
export function drums(
  parts: (canvas: Canvas) => readonly (readonly [pattern: string, drum: Samples, gain: number])[],
): LoopPainter {
  return (canvas, playing) => {
    for (const [pattern, drum, gain] of parts(canvas)) {
      const steps = pattern.replaceAll(" ", "").length;
      const all = repeated(strokes(pattern, playing.swing), steps / 4, playing);
      beat(canvas, loosely(canvas, all, playing), drum, gain);
    }
    if (!playing.fill || playing.beats < 8) return;
    const roll = strokes("x.xxxxXX", playing.swing);
    const late = Array.from(roll, (one) => ({ ...one, beat: one.beat + playing.beats - 2 }));
    beat(canvas, late, tom(canvas.studio, { tuneHz: 140 }), 0.7);
  };
}

/** A line of notes, repeated. */
export function notes(
  text: readonly Note[],
  everyBeats: number,
  instrument: Instrument,
  { gain = 1, room = 0 } = {},
): LoopPainter {
  return (canvas, playing) => {
    const all = repeated(text, everyBeats, playing);
    play(canvas, loosely(canvas, all, playing), instrument, gain);
    if (room > 0) wash(canvas, reverb(canvas.studio, { seconds: room, wet: 0.25 }));
  };
}

/** Paints several loops onto one another. */
export function layered(...painters: readonly LoopPainter[]): LoopPainter {
  return (canvas, playing) => {
    for (const painter of painters) painter(canvas, playing);
  };
}
