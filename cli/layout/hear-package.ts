import { type SoundMeasures, SoundMeter } from "../../core/audio/sound-meter.ts";
import { findAll, loopFramesOf } from "../../core/findings/find-all.ts";
import type { Finding, HeardSound } from "../../core/findings/finding.ts";
import type { TrackPlan } from "../../core/layout/layout.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { readAudio } from "./read-audio.ts";
import type { FolderPackage, ReadWav } from "./read-package-folder.ts";

/** A usable sound of a package. */
export interface PlacedSound {
  readonly sound: Sound;
  readonly track: TrackPlan<number | null>;
  readonly header: ReadWav;
}

/** Listens to a package's sounds while their files are read for something else (rule B9). */
export interface PackageListener {
  /** Reads a sound as `readAudio` does, and listens. */
  readonly read: typeof readAudio;
  /** Returns the findings of the sounds that were read. */
  readonly findings: () => readonly Finding[];
}

export function listenTo(pkg: FolderPackage): PackageListener {
  const placed = new Map(usableSounds(pkg).map((one) => [one.sound.id, one]));
  const measures = new Map<string, SoundMeasures>();
  return {
    read: async (local, sound, header) => {
      const one = placed.get(sound.id);
      if (one?.header !== header) return readAudio(local, sound, header);
      const meter = new SoundMeter(header, loopFramesOf(one));
      const audio = await readAudio(local, sound, header, [meter]);
      measures.set(sound.id, meter.finish());
      return audio;
    },
    findings: () => judgePackage(pkg, measures),
  };
}

/** Returns a package's findings. @param measures by sound id; what has none is left out */
export function judgePackage(
  pkg: FolderPackage,
  measures: ReadonlyMap<string, SoundMeasures>,
): readonly Finding[] {
  const heard = usableSounds(pkg).flatMap((one): readonly HeardSound[] => {
    const measured = measures.get(one.sound.id);
    return measured === undefined ? [] : [{ ...one, measures: measured }];
  });
  return findAll(heard, pkg.layout.session);
}

/** Returns the sounds of a package that have a track, with their headers. */
export function usableSounds({ layout, local, headers }: FolderPackage): readonly PlacedSound[] {
  const sounds = new Map(local.manifest.items.map((sound) => [sound.id, sound]));
  return layout.tracks.flatMap((track): readonly PlacedSound[] => {
    const [sound, header] = [sounds.get(track.soundId), headers.get(track.soundId)];
    if ("error" in track || sound === undefined || header === undefined) return [];
    return "error" in header ? [] : [{ sound, track, header }];
  });
}
