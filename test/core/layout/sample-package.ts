import type { UsableTrackJson } from "../../../core/layout/layout-json.ts";
import type { ReadPackage } from "../../../core/layout/plan-layout.ts";
import type { Manifest, Sound } from "../../../core/manifest/manifest.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";

/** A 16-bit stereo header of so many frames. */
export function sampleHeader(frames: number, sampleRateHz = 48_000): WavHeader {
  return {
    encoding: "pcm",
    channels: 2,
    sampleRateHz,
    bitsPerSample: 16,
    dataOffset: 44,
    dataBytes: frames * 4,
    frames,
  };
}

/** A cleaned sound; a one-shot unless it says otherwise. */
export function sampleSound(sound: Partial<Sound> = {}): Sound {
  return { file: "kick.wav", id: "1", name: "Kick", kind: "oneshot", ...sound };
}

/** A package whose every file lasts 2 s. */
export function samplePackage(
  items: readonly Sound[],
  manifest: Partial<Manifest> = {},
): ReadPackage {
  return {
    manifest: {
      schema: "app2host/1",
      package_id: "pkg_sample",
      title: "Night Drive",
      source: { app: "Looper" },
      items,
      ...manifest,
    },
    warnings: [],
    sounds: new Map(items.map(({ id }) => [id, sampleHeader(96_000)])),
    colorTurn: 0,
  };
}

/** A loop of 8 beats in a layout's JSON. */
export function sampleTrack(id: string, more: Partial<UsableTrackJson> = {}): UsableTrackJson {
  return {
    id,
    track: `${id} (App)`,
    clip: id,
    kind: "loop",
    warping: true,
    warp_mode: "tones",
    looping: true,
    loop_beats: 8,
    tempo_bpm: 126,
    color_index: 10,
    gain_db: 0,
    notes: [],
    ...more,
  };
}

/** The settings that make a loop a one-shot. */
export const ONE_SHOT = {
  kind: "oneshot",
  warping: false,
  warp_mode: null,
  looping: false,
  loop_beats: null,
  tempo_bpm: null,
} as const;
