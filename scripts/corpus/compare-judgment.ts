import { Refusal } from "../../core/protocol/refusal.ts";
import type { WavHeader } from "../../core/audio/wav-header.ts";
import { describe, type Judgment } from "./judge-wav.ts";
import { AUDIO_COLUMNS, type IndexLine } from "./read-index.ts";

/** Describes the differences between a judgment and a corpus's index; empty if there are none. */
export function compareJudgment(line: IndexLine, judgment: Judgment): readonly string[] {
  const why = line.why === "" ? "" : ` (${line.why})`;
  if (judgment instanceof Refusal) {
    return line.verdict === "accept"
      ? [`the index accepts it${why}, the reader says ${describe(judgment)}`]
      : [];
  }
  if (line.verdict === "reject") {
    return [`the index rejects it${why}, the reader says ${describe(judgment)}`];
  }
  const read = audioOf(judgment);
  return AUDIO_COLUMNS.flatMap((column) => {
    const stated = line.audio.get(column) ?? read[column];
    return stated === read[column]
      ? []
      : [`${column} is ${stated} in the index, ${read[column]} to the reader`];
  });
}

function audioOf(header: WavHeader): Record<(typeof AUDIO_COLUMNS)[number], number> {
  return {
    sampleRate: header.sampleRateHz,
    channels: header.channels,
    bits: header.bitsPerSample,
    frames: header.frames,
  };
}
