import { countOf } from "../text/count-of.ts";
import { formatNumber } from "../text/format-number.ts";
import type { PackageAudioJson, SoundAudioJson } from "./audio-schema.ts";
import type { LayoutJson } from "./layout-json.ts";
import { type AudioPair, findSwap, isSilent, longerSeconds, pairSounds } from "./compare-audio.ts";

/** A change of a sound's file or audio. */
export interface AudioSentence {
  /** The sound's id. */
  readonly sound: string;
  readonly setting: "file" | "audio";
  /** Without the sound's name. */
  readonly text: string;
}

/**
 * Describes what became of each sound's file and audio, a sentence for each that changed (rule B3), such as
 * `the audio changed (0.5 s longer, 24 → 16 bit).`
 * @param nameOf returns the name of a sound
 */
export function formatAudioSentences(
  { accepted, now }: { readonly accepted: PackageAudioJson; readonly now: PackageAudioJson },
  nameOf: (id: string) => string,
): readonly AudioSentence[] {
  const pairs = pairSounds(accepted, now);
  return pairs.flatMap((pair) =>
    SETTINGS.flatMap((setting): readonly AudioSentence[] => {
      const text = setting === "file" ? formatFile(pair, pairs) : formatAudio(pair, pairs, nameOf);
      return text === undefined ? [] : [{ sound: pair.now.id, setting, text }];
    }),
  );
}

const SETTINGS = ["file", "audio"] as const;

/** Returns a function that names a sound of either layout. */
export function nameOfSound(accepted: LayoutJson, now: LayoutJson): (id: string) => string {
  const names = new Map([...accepted.tracks, ...now.tracks].map(({ id, clip }) => [id, clip]));
  return (id) => names.get(id) ?? id;
}

function formatFile(pair: AudioPair, pairs: readonly AudioPair[]): string | undefined {
  const { accepted, now } = pair;
  // Its audio is said to be the other sound's.
  const isOthers = findSwap(pair, pairs)?.with.accepted.file === now.file;
  if (accepted.file === now.file || isOthers) return undefined;
  return accepted.sha256 === now.sha256
    ? `${accepted.file} was renamed to ${now.file}, with the same audio.`
    : `the file is ${now.file} instead of ${accepted.file}.`;
}

function formatAudio(
  pair: AudioPair,
  pairs: readonly AudioPair[],
  nameOf: (id: string) => string,
): string | undefined {
  const { accepted, now } = pair;
  const format = formatChanges(accepted, now);
  if (accepted.sha256 === now.sha256) {
    if (format.length === 0) return undefined;
    return `the header changed around the same audio (${[formatLength(pair), ...format].join(", ")}).`;
  }
  const swap = findSwap(pair, pairs);
  if (swap !== undefined) {
    const name = nameOf(swap.with.now.id);
    return swap.isMutual
      ? `the audio was swapped with that of ${name}.`
      : `the audio is the one that ${name} had.`;
  }
  const silent = isSilent(now) && !isSilent(accepted) ? ["silent now"] : [];
  return `the audio changed (${[formatLength(pair), ...format, ...silent].join(", ")}).`;
}

function formatLength(pair: AudioPair): string {
  const seconds = longerSeconds(pair);
  if (seconds === 0) return "same length";
  const direction = seconds > 0 ? "longer" : "shorter";
  const size = Math.abs(seconds);
  // Less than a millisecond is easier to find in frames.
  if (size >= 0.001) return `${formatNumber(size)} s ${direction}`;
  const frames = Math.round(size * pair.now.sample_rate_hz);
  return `${countOf(frames, "frame")} ${direction}`;
}

/** The parts of the format that changed, such as `44100 → 48000 Hz`. */
function formatChanges(accepted: SoundAudioJson, now: SoundAudioJson): readonly string[] {
  return [
    ...change(accepted.sample_rate_hz, now.sample_rate_hz, " Hz"),
    ...(accepted.encoding === now.encoding
      ? change(accepted.bits, now.bits, " bit")
      : change(formatBits(accepted), formatBits(now), "")),
    ...change(formatChannels(accepted), formatChannels(now), ""),
  ];
}

function change(was: string | number, is: string | number, unit: string): readonly string[] {
  return was === is ? [] : [`${was} → ${is}${unit}`];
}

/** Formats a bit depth, such as `24 bit` or `32-bit float`. */
export function formatBits({ bits, encoding }: SoundAudioJson): string {
  return encoding === "float" ? `${bits}-bit float` : `${bits} bit`;
}

/** Formats a number of channels. */
export function formatChannels({ channels }: SoundAudioJson): string {
  return channels === 1 ? "mono" : "stereo";
}
