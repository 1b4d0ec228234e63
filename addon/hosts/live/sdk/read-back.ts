import { nearestColor } from "../../../../core/layout/nearest-color.ts";
import { WARP_MODES, type WarpMode } from "../../../../core/manifest/manifest.ts";
import type { HeldSettings } from "../../host.ts";
import type { LiveClip, LiveSong, LiveTrack } from "./live-api.ts";
import type { LiveSound } from "./live-sound.ts";
import {
  numberOf,
  placeIn,
  readFlag,
  readIfAny,
  readList,
  readNumber,
  readText,
} from "./live-values.ts";
import { gainOfVolume, roundGain } from "./volume.ts";

/**
 * Reads what Live holds of a sound, without settings that it can't read. An unwarped clip has no warp
 * mode, tempo or loop length in beats.
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
    colorIndex: readColor(clip),
    gainDb: volumeDb === undefined ? undefined : roundGain(volumeDb + file.gainDb),
    ...readWarp(clip),
  });
}

/** A findable track that isn't found was removed, even if its object still answers. */
function isTrackThere(song: LiveSong, { track, isFindable }: LiveSound): boolean {
  const tracks = readList(() => song.tracks);
  return !isFindable || placeIn(tracks, track) !== -1;
}

/** Derives a clip's tempo in BPM from its warp markers; undefined where that fails. */
export function readClipTempo(clip: LiveClip): number | undefined {
  const markers = readList(() => clip.warpMarkers);
  const [first, last] = [markers.at(0), markers.at(-1)];
  const beats = difference(
    readNumber(() => first?.beatTime),
    readNumber(() => last?.beatTime),
  );
  const seconds = difference(
    readNumber(() => first?.sampleTime),
    readNumber(() => last?.sampleTime),
  );
  if (beats === undefined || seconds === undefined) return undefined;
  const tempoBpm = (60 * beats) / seconds;
  return tempoBpm > 0 && Number.isFinite(tempoBpm) ? round(tempoBpm) : undefined;
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

type Unsure<Settings> = { readonly [Key in keyof Settings]: Settings[Key] | undefined };
type WarpSettings = Pick<
  HeldSettings,
  "warping" | "warpMode" | "looping" | "loopEndBeats" | "tempoBpm"
>;

function readWarp(clip: LiveClip): Unsure<WarpSettings> {
  const warping = readFlag(() => clip.warping);
  const looping = readFlag(() => clip.looping);
  const beats = difference(
    readNumber(() => clip.loopStart),
    readNumber(() => clip.loopEnd),
  );
  if (warping === false) {
    return { warping, looping, warpMode: null, loopEndBeats: null, tempoBpm: null };
  }
  return {
    warping,
    looping,
    warpMode: nameOfWarpMode(readNumber(() => clip.warpMode)),
    loopEndBeats: looping === false ? null : beats && round(beats),
    tempoBpm: readClipTempo(clip),
  };
}

/** Returns the nearest palette index: Live has only these 70 colours. */
function readColor(clip: LiveClip): number | undefined {
  const rgb = readNumber(() => clip.color);
  if (rgb === undefined) return undefined;
  return nearestColor(`#${(rgb & 0xff_ffff).toString(16).padStart(6, "0")}`);
}

function nameOfWarpMode(number: number | undefined): WarpMode | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant
  const names = Object.keys(WARP_MODES) as WarpMode[];
  return names.find((name) => WARP_MODES[name] === number);
}

function difference(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}

/** To six decimals: beats and seconds come from floats. */
function round(value: number): number {
  return Number(value.toFixed(6));
}

function onlyKnown(settings: Unsure<Partial<HeldSettings>>): Partial<HeldSettings> {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
