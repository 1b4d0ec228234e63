import type { Manifest, Sound, Warning } from "../manifest/manifest.ts";
import type { WavHeader } from "../audio/wav-header.ts";
import { colorOfTurn, nearestColor } from "./palette.ts";
import type { Layout, PlannedSound } from "./layout.ts";
import { layoutSentence } from "./layout-sentences.ts";
import { planTempoAndLength } from "./tempo-and-length.ts";
import { planWarpMode } from "./warp-mode.ts";

/** Everything that a layout depends on: a package with its file headers. */
export interface ReadPackage {
  readonly manifest: Manifest;
  /** The manifest's repairs. */
  readonly warnings: readonly Warning[];
  /** Headers by sound id: the file's header, or a sentence if the file can't be used. */
  readonly sounds: ReadonlyMap<string, WavHeader | { readonly error: string }>;
  /** The package's turn in the color rotation, from 0; null outside an importer (rule T4). */
  readonly colorTurn: number | null;
}

/** Checks whether a sound has no `color`, so that the package needs a turn in the rotation (rule T4). */
export function needsColorTurn(manifest: Pick<Manifest, "items">): boolean {
  return manifest.items.some((sound) => sound.color === undefined);
}

/**
 * Plans a package's scene, with one track per sound in the package's order and all settings (rules T1
 * to T5). An unusable sound keeps its place, with the reason. Without a turn, the `colorIndex` of sounds
 * without a `color` is null.
 */
export function planLayout(read: ReadPackage & { readonly colorTurn: number }): Layout;
export function planLayout(read: ReadPackage): Layout<number | null>;
export function planLayout(read: ReadPackage): Layout<number | null> {
  const { manifest, warnings } = read;
  return {
    packageId: manifest.package_id,
    scene: { name: withApp(manifest.title, manifest) },
    session: {
      tempoBpm: manifest.tempo?.bpm ?? null,
      timeSignature: manifest.tempo?.time_signature ?? null,
    },
    tracks: manifest.items.map((sound) => planSound(sound, read)),
    warnings,
  };
}

function planSound(
  sound: Sound,
  { manifest, sounds, colorTurn }: ReadPackage,
): PlannedSound<number | null> {
  const { id: soundId, name: clipName, kind } = sound;
  const names = { soundId, trackName: withApp(clipName, manifest), clipName, kind };
  const file = sounds.get(soundId) ?? {
    error: layoutSentence("FILE_ABSENT", { file: sound.file }),
  };
  if ("error" in file) return { ...names, error: file.error };

  const isLoop = kind === "loop";
  const turnColor = colorTurn === null ? null : colorOfTurn(colorTurn);
  const timing = isLoop
    ? planTempoAndLength(sound, manifest.tempo?.bpm, file)
    : { tempoBpm: null, loopEndBeats: null, notes: [] };
  return {
    ...names,
    warping: isLoop,
    warpMode: planWarpMode(sound),
    looping: isLoop,
    ...timing,
    colorIndex: sound.color === undefined ? turnColor : nearestColor(sound.color),
    gainDb: sound.gain_db ?? 0,
  };
}

/** Formats `<name> (<app>)` (rule T1). */
function withApp(name: string, manifest: Manifest): string {
  return `${name} (${manifest.source.app})`;
}
