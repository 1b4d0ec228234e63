import { secondsOf, wholeBeatsAt } from "../guess/loop-lengths.ts";
import { readNumbers, type TempoNumber } from "../guess/numbers-in-name.ts";
import { formatNumber } from "../text/format-number.ts";
import { type Finding, findingSentence, type HeardSound } from "./finding.ts";
import { THRESHOLDS } from "./thresholds.ts";

/**
 * Finds a loop that doesn't end on a beat, or whose file ends before it does. A file that rings on past its stated
 * length is meant so.
 * @param unitBeats quarter notes of the time signature's unit, which a length without a statement may be a multiple of
 */
export function findLength(heard: HeardSound, unitBeats: number): readonly Finding[] {
  const { sound, header, track } = heard;
  const { tempoBpm: bpm, loopEndBeats: beats } = track;
  if (bpm === null || beats === null) return [];
  const fileSeconds = secondsOf(header);
  const silentSeconds = (beats * 60) / bpm - fileSeconds;
  const isStated = sound.length_beats !== undefined;
  const step = isStated ? THRESHOLDS.statedLengthStep : Math.min(1, unitBeats);
  const offBeats = Math.abs(beats - Math.max(1, Math.round(beats / step)) * step);
  const offSeconds = (offBeats * 60) / bpm;
  const [inBeats, inSeconds] = [THRESHOLDS.lengthBeats, THRESHOLDS.lengthSeconds + TINY];
  const finding = (sentence: string, measured: number, threshold: number): readonly Finding[] => [
    { code: "LENGTH", sound: sound.id, field: "length_beats", sentence, measured, threshold },
  ];
  const params = { beats: formatNumber(beats), bpm: formatNumber(bpm) };
  if (offBeats > inBeats || offSeconds > inSeconds) {
    const sentence = findingSentence(isStated ? "LENGTH_STATED" : "LENGTH", params);
    return offBeats > inBeats
      ? finding(sentence, offBeats, inBeats)
      : finding(sentence, offSeconds, inSeconds);
  }
  if (isStated && silentSeconds > inSeconds) {
    const seconds = formatNumber(silentSeconds);
    const sentence = findingSentence("LENGTH_SILENT", { ...params, seconds });
    return finding(sentence, silentSeconds, inSeconds);
  }
  if (isStated || Math.abs(silentSeconds) <= inSeconds) return [];
  const fileBeats = formatNumber((fileSeconds * bpm) / 60);
  const sentence = findingSentence("LENGTH", { ...params, beats: fileBeats });
  return finding(sentence, Math.abs(silentSeconds), inSeconds);
}

/** The error that binary fractions add to a length that is exactly at its threshold. */
const TINY = 1e-9;

/** Finds a tempo in the name or the file's name that isn't the loop's, nor half or double. */
export function findNamedTempo({ sound, track, header }: HeardSound): readonly Finding[] {
  const { tempoBpm: bpm } = track;
  if (bpm === null) return [];
  const names = [sound.name, sound.file.replace(/\.wav$/i, "")];
  const isRight = (named: TempoNumber): boolean =>
    [bpm, bpm * 2, bpm / 2].some((one) => Math.abs(one - named.bpm) < toleranceOf(named));
  for (const name of names) {
    const tempos = readNumbers(name).tempos.filter(
      (named) => named.isMarked || isClearlyTempo(named, bpm, header),
    );
    const [first] = tempos;
    if (first === undefined || tempos.some(isRight)) continue;
    const params = { named: first.text, bpm: formatNumber(bpm) };
    const sentence = findingSentence("TEMPO_IN_NAME", params);
    const measured = Math.abs(first.bpm - bpm);
    const threshold = toleranceOf(first);
    return [
      { code: "TEMPO_IN_NAME", sound: sound.id, field: "bpm", sentence, measured, threshold },
    ];
  }
  return [];
}

/** A bare number may count anything, unless the file has whole beats at it and none at the loop's tempo. */
function isClearlyTempo(
  { bpm }: TempoNumber,
  loopBpm: number,
  header: HeardSound["header"],
): boolean {
  const beats = wholeBeatsAt(bpm, header);
  const isUsual = beats !== null && (beats % 4 === 0 || beats <= 2);
  return isUsual && wholeBeatsAt(loopBpm, header) === null;
}

function toleranceOf({ bpm }: TempoNumber): number {
  return Number.isInteger(bpm) ? THRESHOLDS.namedTempo : THRESHOLDS.namedTempoDecimals;
}
