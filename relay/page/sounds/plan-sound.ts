import { planTempoAndLength } from "../../../core/layout/tempo-and-length.ts";
import { planWarpMode } from "../../../core/layout/warp-mode.ts";
import { formatWarpMode } from "../../../core/page/format-setting.ts";
import { formatDuration } from "../../../core/page/format-span.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { PageSound } from "./page-sound.ts";
import { BEATS, BPM, numberOf } from "./read-number.ts";

/** How the host will import a sound as currently described. */
export interface SoundPlan {
  /** Short pieces, such as `Loop`, `16 beats`, `120 BPM`, `Warp Beats`. */
  readonly pieces: readonly string[];
  /** Sentences about what may be unintended. */
  readonly notes: readonly string[];
  /** null if it is no loop, or if the host guesses. */
  readonly tempoBpm: number | null;
}

/** Plans one sound by the layout's own rules (rules T2, T3 and T5). */
export function planSound(sound: PageSound, packageBpm: number | undefined): SoundPlan {
  const { header, kind, role } = sound;
  const format = formatFormat(sound);
  if (kind === "oneshot") {
    return { pieces: ["One-shot, unwarped", ...format], notes: [], tempoBpm: null };
  }
  const [bpm, beats] = [numberOf(sound.bpm, BPM), numberOf(sound.lengthBeats, BEATS)];
  const loop = {
    ...(bpm !== undefined && { bpm }),
    ...(beats !== undefined && { length_beats: beats }),
  };
  const { tempoBpm, loopEndBeats, notes } = planTempoAndLength(loop, packageBpm, header);
  const warpMode = planWarpMode({ kind, ...(role !== null && { role }) });
  return {
    pieces: [
      "Loop",
      ...(loopEndBeats === null ? [] : [formatBeats(loopEndBeats)]),
      ...(tempoBpm === null ? [] : [`${formatNumber(tempoBpm, 2)} BPM`]),
      ...(warpMode === null ? [] : [`Warp ${formatWarpMode(warpMode)}`]),
      ...format,
    ],
    notes,
    tempoBpm,
  };
}

/** Formats a number of beats, such as `8 beats`. */
export function formatBeats(beats: number): string {
  return `${formatNumber(beats)} ${beats === 1 ? "beat" : "beats"}`;
}

function formatFormat({ header }: PageSound): readonly string[] {
  const { frames, sampleRateHz, channels } = header;
  return [
    formatDuration(frames / sampleRateHz),
    `${sampleRateHz / 1000} kHz ${channels === 1 ? "mono" : "stereo"}`,
  ];
}
