import { readerOf } from "../../addon/disk/read-at.ts";
import { readSamples } from "../../core/audio/read-samples.ts";
import { type SoundMeasures, SoundMeter } from "../../core/audio/sound-meter.ts";
import { findAll, loopFramesOf } from "../../core/findings/find-all.ts";
import type { Finding, HeardSound } from "../../core/findings/finding.ts";
import type { TrackPlan } from "../../core/layout/layout.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import type { FolderPackage, ReadWav } from "./read-package-folder.ts";

/** Measures one sound's audio; resolves with undefined if its file can't be read any more. */
export type Hear = (sound: PlacedSound) => Promise<SoundMeasures | undefined>;

/** A usable sound of a package. */
export interface PlacedSound {
  readonly pkg: FolderPackage;
  readonly sound: Sound;
  readonly track: TrackPlan<number | null>;
  readonly header: ReadWav;
}

/**
 * Listens to a package's sounds and judges them (rule B9).
 * @param hear by default reads each file once
 */
export async function hearPackage(
  pkg: FolderPackage,
  hear: Hear = hearSound,
): Promise<readonly Finding[]> {
  const heard: HeardSound[] = [];
  for (const placed of usableSounds(pkg)) {
    const measures = await hear(placed);
    if (measures !== undefined) heard.push({ ...placed, measures });
  }
  return findAll(heard, pkg.layout.session);
}

function usableSounds(pkg: FolderPackage): readonly PlacedSound[] {
  const { layout, local, headers } = pkg;
  return layout.tracks.flatMap((track): readonly PlacedSound[] => {
    const sound = local.manifest.items.find(({ id }) => id === track.soundId);
    const header = headers.get(track.soundId);
    if ("error" in track || sound === undefined || header === undefined) return [];
    return "error" in header ? [] : [{ pkg, sound, track, header }];
  });
}

/** Reads a sound's file from start to end. */
export async function hearSound(placed: PlacedSound): Promise<SoundMeasures | undefined> {
  const { pkg, sound, header } = placed;
  const { file, fingerprint } = await pkg.local.openFile(sound);
  try {
    if (fingerprint !== header.fingerprint) return undefined;
    const meter = new SoundMeter(header, loopFramesOf(placed));
    for await (const piece of readSamples(readerOf(file, sound.file), header)) meter.add(piece);
    return meter.finish();
  } finally {
    await file.close();
  }
}
