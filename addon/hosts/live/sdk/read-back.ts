import { nearestColor } from "../../../../core/layout/palette.ts";
import type { TrackPlan } from "../../../../core/layout/layout.ts";
import type { HeldSettings } from "../../host.ts";
import type { LiveClip, LiveSong, LiveTrack } from "./live-api.ts";
import { withoutWindowsPrefix } from "../../live-path.ts";
import type { LiveSound } from "./live-sound.ts";
import { numberOf, placeIn, readIfAny, readList, readNumber, readText } from "./live-values.ts";
import { onlyKnown } from "../../held-settings.ts";
import { readWarp } from "./read-warp.ts";
import { withoutLinks } from "./sound-file.ts";
import { gainOfVolume, roundGain } from "./volume.ts";

/** What the SDK can read of no clip. */
const NEVER_READ = ["track color", "scene color", "pitch", "arming", "input"];

/** The words for settings that Live sometimes doesn't tell. */
const WORDS: Readonly<Record<keyof HeldSettings, string>> = {
  trackName: "track name",
  clipName: "clip name",
  file: "file",
  warping: "warping",
  warpMode: "warp mode",
  looping: "loop",
  startSeconds: "start",
  loopStartSeconds: "loop start",
  loopEndBeats: "loop end",
  tempoBpm: "tempo",
  warpMarkers: "warp markers",
  colorIndex: "clip color",
  gainDb: "gain",
};

/**
 * Reads what Live holds of a sound, without settings that it can't read.
 * @returns undefined where the clip or its track is not in the Set
 */
export async function readBack(
  song: LiveSong,
  sound: LiveSound,
): Promise<Partial<HeldSettings> | undefined> {
  const clip = isTrackThere(song, sound) ? readIfAny(() => sound.clip) : undefined;
  if (clip === undefined) return undefined;
  const { track, file } = sound;
  const volumeDb = await readVolumeDb(track);
  return onlyKnown({
    trackName: readText(() => track.name),
    clipName: readText(() => clip.name),
    file: await readFile(clip, file.path),
    colorIndex: readColor(clip),
    gainDb: volumeDb === undefined ? undefined : roundGain(volumeDb + file.gainDb),
    ...readWarp(clip),
  });
}

/** Returns in words what was not read of a clip, as far as the plan and the clip's warp have it. */
export function uncheckedOf(plan: TrackPlan, holds: Partial<HeldSettings>): readonly string[] {
  const keys: readonly (keyof HeldSettings)[] = [
    "trackName",
    "clipName",
    "file",
    "warping",
    "looping",
    "startSeconds",
    "colorIndex",
    "gainDb",
    ...(plan.warping && holds.warping !== false ? WARPED : []),
    ...(plan.looping && holds.looping !== false && holds.warping !== false ? LOOPED : []),
  ];
  return [...NEVER_READ, ...keys.filter((key) => !(key in holds)).map((key) => WORDS[key])];
}

const WARPED = ["warpMode", "tempoBpm", "warpMarkers"] as const;
const LOOPED = ["loopStartSeconds", "loopEndBeats"] as const;

/** A findable track that isn't found was removed, even if its object still answers. */
function isTrackThere(song: LiveSong, { track, isFindable }: LiveSound): boolean {
  const tracks = readList(() => song.tracks);
  return !isFindable || placeIn(tracks, track) !== -1;
}

/** Returns a track's raw volume; undefined where Live can't read it. */
export async function readVolume(track: LiveTrack): Promise<number | undefined> {
  try {
    return numberOf(await track.mixer.volume.getValue());
  } catch {
    return undefined;
  }
}

async function readVolumeDb(track: LiveTrack): Promise<number | undefined> {
  const raw = await readVolume(track);
  return raw === undefined ? undefined : gainOfVolume(raw);
}

async function readFile(clip: LiveClip, asked: string): Promise<HeldSettings["file"] | undefined> {
  const got = readText(() => clip.filePath);
  if (got === undefined) return undefined;
  return { asked: await withoutLinks(asked), got: await withoutLinks(withoutWindowsPrefix(got)) };
}

/** Returns the nearest palette index: Live has only these 70 colours. */
function readColor(clip: LiveClip): number | undefined {
  const rgb = readNumber(() => clip.color);
  if (rgb === undefined) return undefined;
  return nearestColor(`#${(rgb & 0xff_ffff).toString(16).padStart(6, "0")}`);
}
