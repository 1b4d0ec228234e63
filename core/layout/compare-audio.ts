import type { PackageAudioJson, SoundAudioJson } from "./audio-schema.ts";
import { differ, type LayoutDifference } from "./compare-layouts.ts";

/** A change that needs no acceptance, but that people may want to know of. */
export interface GoldenHint {
  /** The sound's id. */
  readonly sound: string;
  /** `CHUNKS_CHANGED`: a file changed around its audio. `COLOR_AUTOMATIC`: a color is automatic now (rule B5). */
  readonly code: "CHUNKS_CHANGED" | "COLOR_AUTOMATIC";
}

/** A sound in both of two states. */
export interface AudioPair {
  readonly accepted: SoundAudioJson;
  readonly now: SoundAudioJson;
}

/** Pairs the sounds that both have, in the current order. */
export function pairSounds(
  accepted: PackageAudioJson,
  now: PackageAudioJson,
): readonly AudioPair[] {
  const before = new Map(accepted.sounds.map((sound) => [sound.id, sound]));
  return now.sounds.flatMap((sound) => {
    const was = before.get(sound.id);
    return was === undefined ? [] : [{ accepted: was, now: sound }];
  });
}

/** Lists every difference between the audio of a package and the accepted one (rules B3, B6). */
export function compareAudio(
  accepted: PackageAudioJson,
  now: PackageAudioJson,
): readonly LayoutDifference[] {
  return [
    ...differ(null, "tempo_bpm", accepted.tempo_bpm, now.tempo_bpm),
    ...differ(null, "time_signature", accepted.time_signature, now.time_signature),
    ...pairSounds(accepted, now).flatMap(compareSounds),
  ];
}

function compareSounds({ accepted, now }: AudioPair): readonly LayoutDifference[] {
  const { id } = now;
  const compare = (setting: "role" | "file" | "encoding" | "bits" | "channels") =>
    differ(id, setting, accepted[setting], now[setting]);
  return [
    ...compare("role"),
    ...compare("file"),
    ...differ(id, "audio", accepted.sha256, now.sha256),
    ...compare("encoding"),
    ...compare("bits"),
    ...compare("channels"),
    ...differ(id, "sample_rate_hz", accepted.sample_rate_hz, now.sample_rate_hz),
    ...(longerSeconds({ accepted, now }) === 0
      ? []
      : differ(id, "length", secondsOf(accepted), secondsOf(now))),
  ];
}

/** Returns a sound's length in seconds; at most 6 decimals. */
export function secondsOf({ frames, sample_rate_hz }: SoundAudioJson): number {
  return Number((frames / sample_rate_hz).toFixed(6));
}

/** Returns how much longer a sound is now; 0 if that is less than a frame, as after a change of the sample rate. */
export function longerSeconds({ accepted, now }: AudioPair): number {
  const seconds = now.frames / now.sample_rate_hz - accepted.frames / accepted.sample_rate_hz;
  const isSameRate = now.sample_rate_hz === accepted.sample_rate_hz;
  const frameSeconds = 1 / Math.min(now.sample_rate_hz, accepted.sample_rate_hz);
  return !isSameRate && Math.abs(seconds) <= frameSeconds ? 0 : seconds;
}

/** Returns the ids of the sounds whose file changed around the same audio, such as notes and loop points. */
export function chunksChanged(
  accepted: PackageAudioJson,
  now: PackageAudioJson,
): readonly string[] {
  return pairSounds(accepted, now)
    .filter(({ accepted: was, now: is }) => isSameAudio(was, is))
    .filter(({ accepted: was, now: is }) => was.chunks_sha256 !== is.chunks_sha256)
    .map(({ now: { id } }) => id);
}

/** Checks whether two sounds are the same to the ear and to the host. */
export function isSameAudio(one: SoundAudioJson, other: SoundAudioJson): boolean {
  const settings = ["sha256", "encoding", "bits", "channels", "sample_rate_hz"] as const;
  return settings.every((setting) => one[setting] === other[setting]);
}

/** The settings of a sound's audio: a difference in one of them is a difference in what is heard, or how. */
export const HEADER_SETTINGS = new Set([
  "audio",
  "encoding",
  "bits",
  "channels",
  "sample_rate_hz",
  "length",
]);

/** Checks whether every column of the envelope is silent. */
export function isSilent({ peaks }: SoundAudioJson): boolean {
  return /^0*$/.test(peaks);
}

/** Finds the other sound that had a sound's audio before, and whether that one has this sound's now. */
export function findSwap(
  { accepted, now }: AudioPair,
  pairs: readonly AudioPair[],
): { readonly with: AudioPair; readonly isMutual: boolean } | undefined {
  if (accepted.sha256 === now.sha256) return undefined;
  const other = pairs.find((pair) => pair.accepted.sha256 === now.sha256);
  return other && { with: other, isMutual: other.now.sha256 === accepted.sha256 };
}
