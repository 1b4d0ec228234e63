import { BandMeter } from "../../../../core/audio/listening/band-levels.ts";
import type { Heard } from "../../../../core/audio/listening/heard.ts";
import { judgeSound } from "../../../../core/audio/listening/listen.ts";
import { type ListeningRow, renderRow } from "./render-row.ts";

/** A verdict on what was heard. A tempo of half or double is wrong. */
export type Verdict = "right" | "wrong" | "kind only" | "asks";

/** Within 0.1 %, or as Y2 has it within 10 ms at the right number of beats. */
const TOLERANCE = 0.001;
const AGREES_SECONDS = 0.01;

/** Judges an answer by what the row is. */
export function judgeHeard(
  row: ListeningRow,
  { kind, bpm, lengthBeats }: Heard,
  seconds: number,
): Verdict {
  if (kind === null) return "asks";
  if (kind !== row.kind) return "wrong";
  if (kind === "oneshot") return "right";
  if (bpm === null) return "kind only";
  const isFilled = Math.abs((row.lengthBeats * 60) / row.bpm - seconds) <= AGREES_SECONDS;
  const isRight = lengthBeats === row.lengthBeats && isFilled;
  return isRight || Math.abs(bpm / row.bpm - 1) <= TOLERANCE ? "right" : "wrong";
}

/** Renders a row and listens to it. */
export function hearRow(row: ListeningRow): Heard {
  return hearSamples(renderRow(row), row.sampleRateHz);
}

/** Listens to one channel. */
export function hearSamples(samples: Float32Array, sampleRateHz: number): Heard {
  const meter = new BandMeter({ sampleRateHz, frames: samples.length });
  meter.add([samples]);
  return judgeSound(meter.finish());
}

/** Listens to rows; by verdict. */
export function hearRows(
  rows: readonly ListeningRow[],
): Readonly<Record<Verdict, readonly ListeningRow[]>> {
  const by: Record<Verdict, ListeningRow[]> = { right: [], wrong: [], "kind only": [], asks: [] };
  for (const row of rows) {
    const samples = renderRow(row);
    const heard = hearSamples(samples, row.sampleRateHz);
    by[judgeHeard(row, heard, samples.length / row.sampleRateHz)].push(row);
  }
  return by;
}
