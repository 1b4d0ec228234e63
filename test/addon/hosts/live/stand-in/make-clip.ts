import { basename, isAbsolute } from "node:path";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { NewLiveClip } from "../../../../../addon/hosts/live/sdk/live-api.ts";
import { allMarkers, heardMarkers, inBeats, inSeconds, mapPoints } from "./clip-warp.ts";
import type { ClipPoints, LiveSet, SetClip, SetSlot } from "./live-set.ts";
import type { LiveHabits, WarpGuess } from "./live-habits.ts";
import { Refusal } from "../../../../../core/protocol/refusal.ts";
import { WavHeaderWalk } from "../../../../../core/audio/wav-header-reader.ts";

/** The shortest loop, in beats. */
const SHORTEST_LOOP = 0.25;
/** Neither what a plan asks for by default nor the first of the list, so that nobody gets it right by luck. */
const FIRST_WARP_MODE = 4;
const FIRST_COLOR = 0x3c3c3c;

/**
 * The clip that Live makes for a slot, of what it is told and what it guesses.
 * @throws {Error} where Live would refuse
 */
export function makeClip(
  slot: SetSlot,
  wanted: NewLiveClip,
  habits: LiveHabits,
  set: LiveSet,
): SetClip {
  const { filePath, isWarped, loopSettings } = wanted;
  const { warpsByItself, goesByAnalysis } = habits;
  if (slot.clip !== null) throw new Error("The slot is not empty.");
  if (slot.kind !== "audio") throw new Error("A MIDI track holds no audio.");
  if (!isAbsolute(filePath)) throw new Error("The path is not absolute.");
  judgeLoop(wanted, habits);
  const fileSeconds = readSeconds(filePath);
  const warping = goesByAnalysis ? warpsByItself : (isWarped ?? warpsByItself);
  const heardBpm = guessTempo(fileSeconds, set.tempoBpm, habits.guess);
  const markers = heardMarkers(fileSeconds, heardBpm, habits);
  const all = allMarkers({ markers, heardBpm });
  const heard = { habits, fileSeconds, markers: all, setBpm: set.tempoBpm, warping };
  return {
    id: set.newId(),
    name: basename(filePath, ".wav"),
    color: FIRST_COLOR,
    looping: goesByAnalysis ? warping : (loopSettings?.looping ?? warping),
    warping,
    warpMode: FIRST_WARP_MODE,
    ...pointsOf(wanted, heard),
    filePath,
    fileSeconds,
    heardBpm,
    markers,
  };
}

interface Heard {
  readonly habits: LiveHabits;
  readonly fileSeconds: number;
  readonly markers: SetClip["markers"];
  readonly setBpm: number;
  readonly warping: boolean;
}

/** Returns the clip's start and end: as requested, or as Live hears them. */
function pointsOf(wanted: NewLiveClip, heard: Heard): ClipPoints {
  const { markers, warping } = heard;
  const { isWarped, loopSettings } = wanted;
  if (isWarped === true && loopSettings !== undefined) {
    return warping ? loopSettings : inSeconds(loopSettings, markers);
  }
  const seconds = secondsOf(wanted, heard);
  return warping ? inBeats(seconds, markers) : seconds;
}

function secondsOf({ loopSettings }: NewLiveClip, heard: Heard): ClipPoints {
  const { habits, fileSeconds, setBpm, warping } = heard;
  if (loopSettings === undefined) {
    const late = warping ? habits.warpedStart : habits.unwarpedStart;
    const start = Math.min(late, fileSeconds / 2);
    return { startMarker: start, endMarker: fileSeconds, loopStart: start, loopEnd: fileSeconds };
  }
  const unit = habits.unwarpedUnit === "seconds" ? 1 : 60 / setBpm;
  const seconds = mapPoints(loopSettings, (value) => value * unit);
  if (seconds.endMarker > fileSeconds + 1e-6) throw new Error("The end is past the file.");
  return seconds;
}

function judgeLoop(
  { isWarped, loopSettings }: NewLiveClip,
  { refusesLoopSettings }: LiveHabits,
): void {
  if (loopSettings === undefined) return;
  const { looping, startMarker, endMarker, loopStart, loopEnd } = loopSettings;
  if (isWarped === undefined) throw new Error("A loop needs isWarped.");
  if (refusesLoopSettings) throw new Error("No loop settings.");
  if (!isWarped && looping) throw new Error("An unwarped clip doesn't loop.");
  if (isWarped && !(loopEnd - loopStart >= SHORTEST_LOOP))
    throw new Error("The loop is too short.");
  if (!(endMarker > startMarker)) throw new Error("The end is not behind the start.");
}

const WRONG_BY = { "near set": 1, half: 0.5, double: 2, off: 1.03 } as const;

/** The tempo, in BPM, that Live takes a file to have. */
export function guessTempo(fileSeconds: number, setTempoBpm: number, guess: WarpGuess): number {
  if (typeof guess === "number") return guess;
  const beatsAtSetTempo = (setTempoBpm * fileSeconds) / 60;
  const beats = 2 ** Math.max(0, Math.round(Math.log2(beatsAtSetTempo)));
  return ((beats * 60) / fileSeconds) * WRONG_BY[guess];
}

const WINDOW_BYTES = 4096;

/**
 * Reads the playing time of a WAV, in seconds.
 * @throws {Error} where it is not there or no WAV
 */
export function readSeconds(path: string): number {
  const file = openSync(path, "r");
  try {
    const sizeBytes = fstatSync(file).size;
    const walk = new WavHeaderWalk(sizeBytes, path);
    const window = Buffer.alloc(WINDOW_BYTES);
    while (walk.outcome === undefined && walk.wantedOffset < sizeBytes) {
      const offset = walk.wantedOffset;
      const count = readSync(file, window, 0, WINDOW_BYTES, offset);
      if (count === 0) break;
      walk.show(window.subarray(0, count), offset);
    }
    const header = walk.end();
    if (header instanceof Refusal) throw header;
    return header.frames / header.sampleRateHz;
  } finally {
    closeSync(file);
  }
}
