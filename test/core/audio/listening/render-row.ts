import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canvasFor } from "../../../../fixtures/synth/canvas.ts";
import { leveledHit, leveledLoop } from "../../../../fixtures/synth/levels.ts";
import { seededRandom } from "../../../../fixtures/synth/random.ts";
import type { Samples, Studio } from "../../../../fixtures/synth/studio.ts";
import { LOOPS } from "./loop-recipes.ts";
import { SHOTS } from "./shot-recipes.ts";

/** A sound of a table: its making, and what it is. */
export interface ListeningRow {
  readonly recipe: string;
  readonly sampleRateHz: number;
  readonly seed: string;
  /** Loops: their tempo and beats. One-shots: about so many seconds. */
  readonly bpm: number;
  readonly lengthBeats: number;
  readonly seconds: number;
  /** `swing`, `loose` (ms), `fill`, `noise` (dB), `tail`, `lead`, `pad` and `cut` (seconds). */
  readonly changes: Readonly<Record<string, number>>;
  readonly kind: "loop" | "oneshot";
  /** Set if no listener could know it: an answer is luck, and a question is right. */
  readonly unknowable: "kind" | "tempo" | undefined;
}

/** Reads a table: one row a line; `#` begins a heading. */
export function readListeningTable(name: string): readonly ListeningRow[] {
  const [, ...lines] = readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n");
  return lines.filter((text) => !text.startsWith("#")).map(readRow);
}

function readRow(text: string): ListeningRow {
  const [recipe = "", rate, seed = "", bpm, beats, seconds, changes = "", kind, unknowable] =
    text.split("\t");
  if (kind !== "loop" && kind !== "oneshot") throw new Error(text);
  if (unknowable !== undefined && !["", "kind", "tempo"].includes(unknowable))
    throw new Error(text);
  const pairs = changes.split(" ").filter(Boolean);
  return {
    recipe,
    sampleRateHz: Number(rate),
    seed,
    bpm: Number(bpm),
    lengthBeats: Number(beats),
    seconds: Number(seconds),
    changes: Object.fromEntries(
      pairs.map((pair) => {
        const [name = "", value = "1"] = pair.split("=");
        return [name, Number(value)];
      }),
    ),
    kind,
    unknowable: unknowable === "kind" || unknowable === "tempo" ? unknowable : undefined,
  };
}

/** Renders a row, the same each time. @throws {Error} for an unknown recipe */
export function renderRow(row: ListeningRow): Float32Array {
  const { recipe, sampleRateHz: rateHz, seed, changes } = row;
  const studio = { rateHz, random: seededRandom(`${seed}/${recipe}`) };
  const [samples = new Float64Array()] =
    row.kind === "loop"
      ? leveledLoop([renderLoop(studio, row)])
      : leveledHit([renderShot(studio, row)]);
  const { lead = 0, pad = 0, cut = 0, noise } = changes;
  const [before, after] = [lead, pad].map((part) => Math.round(part * rateHz));
  const kept = samples.subarray(0, samples.length - Math.round(cut * rateHz));
  const whole = new Float32Array((before ?? 0) + kept.length + (after ?? 0));
  whole.set(kept, before);
  if (noise === undefined) return whole;
  const level = 10 ** (noise / 20);
  return whole.map((sample) => sample + level * (studio.random() * 2 - 1));
}

function renderLoop(studio: Studio, { recipe, bpm, lengthBeats, changes }: ListeningRow): Samples {
  const painter = LOOPS[recipe];
  if (painter === undefined) throw new Error(recipe);
  const { swing = 0.5, loose = 0, fill = 0, tail = 0 } = changes;
  const canvas = canvasFor(studio, { bpm, beats: lengthBeats, tailSeconds: tail });
  const looseSeconds = loose / 1000;
  painter(canvas, { beats: lengthBeats, swing, looseSeconds, fill: fill > 0 });
  return canvas.samples;
}

function renderShot(studio: Studio, { recipe, seconds }: ListeningRow): Samples {
  const make = SHOTS[recipe];
  if (make === undefined) throw new Error(recipe);
  return make(studio, seconds);
}
