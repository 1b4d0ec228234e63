import type { Manifest, Sound, Warning } from "../manifest/manifest.ts";
import type { WavHeader } from "../wav/wav-header.ts";
import { colorOfTurn } from "./color-rotation.ts";
import type { Layout, PlannedSound } from "./layout.ts";
import { nearestColor } from "./nearest-color.ts";
import { planTempoAndLength } from "./tempo-and-length.ts";
import { planWarpMode } from "./warp-mode.ts";

/** A package with its files read: all that a layout depends on. */
export interface ReadPackage {
  readonly manifest: Manifest;
  /** What was repaired in the manifest. */
  readonly warnings: readonly Warning[];
  /** By sound id: the file's header, or a sentence that says why the file can't be used. */
  readonly sounds: ReadonlyMap<string, WavHeader | { readonly error: string }>;
  /** The package's turn in the colour rotation, from 0; null counts as the first (rule T4). */
  readonly colorTurn: number | null;
}

/** Whether some sound has no colour of its own, so that the package takes a turn (rule T4). */
export function needsColorTurn(manifest: Pick<Manifest, "items">): boolean {
  return manifest.items.some((sound) => sound.color === undefined);
}

/**
 * Decides what a package becomes: one scene, one track per sound in the package's order, and every
 * setting (rules T1 to T5). A sound that can't be used keeps its place, with the reason.
 */
export function planLayout(read: ReadPackage): Layout {
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

function planSound(sound: Sound, { manifest, sounds, colorTurn }: ReadPackage): PlannedSound {
  const names = {
    soundId: sound.id,
    trackName: withApp(sound.name, manifest),
    clipName: sound.name,
    kind: sound.kind,
  };
  const file = sounds.get(sound.id) ?? { error: `${sound.file} is not there.` };
  if ("error" in file) return { ...names, error: file.error };

  const isLoop = sound.kind === "loop";
  const timing = isLoop
    ? planTempoAndLength(sound, manifest.tempo?.bpm, file)
    : { tempoBpm: null, loopEndBeats: null, notes: [] };
  return {
    ...names,
    warping: isLoop,
    warpMode: planWarpMode(sound),
    looping: isLoop,
    ...timing,
    colorIndex: sound.color === undefined ? colorOfTurn(colorTurn ?? 0) : nearestColor(sound.color),
    gainDb: sound.gain_db ?? 0,
  };
}

/** `<name> (<app>)` (rule T1). */
function withApp(name: string, manifest: Manifest): string {
  return `${name} (${manifest.source.app})`;
}
