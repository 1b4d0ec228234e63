import type { LocalPackage } from "../../addon/packages/local-package.ts";
import { type SoundMeasures, SoundMeter } from "../../core/audio/sound-meter.ts";
import { findAll, loopFramesOf } from "../../core/findings/find-all.ts";
import type { Finding, HeardSound } from "../../core/findings/finding.ts";
import type { TrackPlan } from "../../core/layout/layout.ts";
import type { Sound } from "../../core/manifest/manifest.ts";
import { type AudioListener, type ReadAudio, readAudio } from "./read-audio.ts";
import { type PackageAudio, readPackageAudio } from "./read-package-audio.ts";
import type { FolderPackage, ReadWav } from "./read-package-folder.ts";

/** A usable sound of a package. */
interface PlacedSound {
  readonly sound: Sound;
  readonly track: TrackPlan<number | null>;
  readonly header: ReadWav;
}

/** A sound whose file is a WAV. */
export interface SoundFile {
  readonly local: LocalPackage;
  readonly sound: Sound;
  readonly header: ReadWav;
  /** The frame at which its loop starts again; undefined if it is none, or has no track. */
  readonly loopFrames: number | undefined;
}

/** All that one reading of a sound's file gives. */
export interface HeardFile {
  readonly audio: ReadAudio;
  readonly measures: SoundMeasures;
}

/** Reads a sound's file once: its audio for the golden (rule B6), and what is heard in it (rule B9). */
export async function hearFile(
  { local, sound, header, loopFrames }: SoundFile,
  listeners: readonly AudioListener[] = [],
): Promise<HeardFile> {
  const meter = new SoundMeter(header, loopFrames);
  const audio = await readAudio(local, sound, header, [meter, ...listeners]);
  return { audio, measures: meter.finish() };
}

/** A package whose sounds were all read. */
export interface HeardPackage {
  readonly audio: PackageAudio;
  readonly findings: readonly Finding[];
}

/** Reads the sounds of a package, each once. @param hear reads a sound */
export async function hearPackage(
  pkg: FolderPackage,
  hear: (file: SoundFile) => Promise<HeardFile> = hearFile,
): Promise<HeardPackage> {
  const loops = new Map(usableSounds(pkg).map((one) => [one.sound.id, loopFramesOf(one)]));
  const measures = new Map<string, SoundMeasures>();
  const audio = await readPackageAudio(pkg, async (local, sound, header) => {
    const heard = await hear({ local, sound, header, loopFrames: loops.get(sound.id) });
    measures.set(sound.id, heard.measures);
    return heard.audio;
  });
  return { audio, findings: judgePackage(pkg, measures) };
}

/** Returns a package's findings. @param measures by sound id; what has none is left out */
function judgePackage(
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
function usableSounds({ layout, local, headers }: FolderPackage): readonly PlacedSound[] {
  const sounds = new Map(local.manifest.items.map((sound) => [sound.id, sound]));
  return layout.tracks.flatMap((track): readonly PlacedSound[] => {
    const [sound, header] = [sounds.get(track.soundId), headers.get(track.soundId)];
    if ("error" in track || sound === undefined || header === undefined) return [];
    return "error" in header ? [] : [{ sound, track, header }];
  });
}
