import type { SessionPlan } from "../layout/layout.ts";
import type { SoundKind, SoundRole } from "../manifest/manifest.ts";
import { findInAudio } from "./audio-findings.ts";
import { type Finding, findingSentence, type HeardSound } from "./finding.ts";
import { findLength, findNamedTempo } from "./loop-findings.ts";
import { THRESHOLDS } from "./thresholds.ts";

/** Finds what a sound designer would mend in a package (rule B9), in the order of its sounds. */
export function findAll(
  sounds: readonly HeardSound[],
  { timeSignature }: Pick<SessionPlan, "timeSignature">,
): readonly Finding[] {
  const unitBeats = 4 / (timeSignature?.[1] ?? 4);
  const medians = new Map(KINDS.map((kind) => [kind, medianOf(kind, sounds)]));
  return sounds.flatMap((heard) => [
    ...findLength(heard, unitBeats),
    ...findInAudio(heard),
    ...findNamedTempo(heard),
    ...findLoudness(heard, medians.get(heard.track.kind) ?? null),
  ]);
}

const KINDS: readonly SoundKind[] = ["loop", "oneshot"];
/** A sound in one channel comes out of both speakers, which BS.1770 counts twice. */
const BOTH_SPEAKERS_LU = 10 * Math.log10(2);

/** Roles whose sounds may be as quiet as they like. */
const BACKGROUND: ReadonlySet<string> = new Set<SoundRole | "">(["texture", "fx"]);

/** The loudness of a sound in its clip, with its gain; null if it has none. */
function heardLufs({ measures, header, track }: HeardSound): number | null {
  const { loudnessLufs } = measures;
  if (loudnessLufs === null) return null;
  return loudnessLufs + track.gainDb + (header.channels === 1 ? BOTH_SPEAKERS_LU : 0);
}

/** The median loudness of the sounds of a kind; null for too few. */
function medianOf(kind: SoundKind, sounds: readonly HeardSound[]): number | null {
  const all = sounds
    .filter(({ track }) => track.kind === kind)
    .flatMap((heard) => heardLufs(heard) ?? [])
    .toSorted((one, other) => one - other);
  if (all.length < THRESHOLDS.loudnessSounds) return null;
  const half = all.length / 2;
  return ((all[Math.ceil(half) - 1] ?? 0) + (all[Math.floor(half)] ?? 0)) / 2;
}

/** @param median of its kind */
function findLoudness(heard: HeardSound, median: number | null): readonly Finding[] {
  const lufs = heardLufs(heard);
  if (lufs === null || median === null) return [];
  const measured = Math.abs(lufs - median);
  const threshold = THRESHOLDS.loudnessLu;
  const isMeantQuiet = lufs < median && BACKGROUND.has(heard.sound.role ?? "");
  if (measured <= threshold || isMeantQuiet) return [];
  const kind = heard.track.kind === "loop" ? "loops" : "one-shots";
  const params = { lu: measured.toFixed(1), kind, lufs: lufs.toFixed(1).replace("-", "−") };
  const sentence = findingSentence(lufs > median ? "LOUDER" : "QUIETER", params);
  const sound = heard.sound.id;
  return [{ code: "LOUDNESS", sound, field: "gain_db", sentence, measured, threshold }];
}

/** The frame at which a loop starts again; undefined for a one-shot. A guessed loop fills its file. */
export function loopFramesOf({
  track,
  header,
}: Pick<HeardSound, "track" | "header">): number | undefined {
  if (!track.looping) return undefined;
  const { tempoBpm, loopEndBeats } = track;
  if (tempoBpm === null || loopEndBeats === null) return header.frames;
  return Math.max(1, Math.round((loopEndBeats * 60 * header.sampleRateHz) / tempoBpm));
}
