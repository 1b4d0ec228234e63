import { planTempoAndLength } from "../../../core/layout/tempo-and-length.ts";
import { planWarpMode } from "../../../core/layout/warp-mode.ts";
import { formatWarpMode } from "../../../core/page/format-setting.ts";
import { formatDuration } from "../../../core/page/format-span.ts";
import { formatNumber } from "../../../core/text/format-number.ts";
import type { PageSound } from "./page-sound.ts";
import { BEATS, BPM, numberOf } from "./read-number.ts";

/** What a sound will be in the host, as it is described now. */
export interface SoundPlan {
  /** Short pieces, such as `Loop`, `16 beats`, `120 BPM`, `Warp Beats`. */
  readonly pieces: readonly string[];
  /** Sentences on what may not be meant so. */
  readonly notes: readonly string[];
  /** null where it is no loop, or the host guesses. */
  readonly tempoBpm: number | null;
}

/** The layout's own decisions for one sound (rules T2, T3 and T5). */
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

/** Such as `8 beats`. */
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
