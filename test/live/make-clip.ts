import { basename, isAbsolute } from "node:path";
import type { NewLiveClip } from "../../addon/hosts/live/sdk/live-api.ts";
import { guessTempo } from "./guess-tempo.ts";
import type { LiveHabits } from "./live-habits.ts";
import type { LiveSet, SetClip, SetSlot } from "./live-set.ts";
import { readSeconds } from "./read-seconds.ts";

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
  { guess, warpsByItself, goesByAnalysis }: LiveHabits,
  set: LiveSet,
): SetClip {
  const { filePath, isWarped, loopSettings } = wanted;
  if (slot.clip !== null) throw new Error("The slot is not empty.");
  if (slot.kind !== "audio") throw new Error("A MIDI track holds no audio.");
  if (!isAbsolute(filePath)) throw new Error("The path is not absolute.");
  judgeLoop(wanted);
  const fileSeconds = readSeconds(filePath);
  const warping = goesByAnalysis ? warpsByItself : (isWarped ?? warpsByItself);
  const heardBpm = guessTempo(fileSeconds, set.tempoBpm, guess);
  return {
    id: set.newId(),
    name: basename(filePath, ".wav"),
    color: FIRST_COLOR,
    looping: goesByAnalysis ? warping : (loopSettings?.looping ?? warping),
    warping,
    warpMode: FIRST_WARP_MODE,
    loopStart: loopSettings?.loopStart ?? 0,
    loopEnd: loopSettings?.loopEnd ?? (warping ? (fileSeconds * heardBpm) / 60 : fileSeconds),
    filePath,
    fileSeconds,
    heardBpm,
  };
}

function judgeLoop({ isWarped, loopSettings }: NewLiveClip): void {
  if (loopSettings === undefined) return;
  const { startMarker, endMarker, loopStart, loopEnd } = loopSettings;
  if (isWarped !== true) throw new Error("A loop needs isWarped.");
  if (!(loopEnd - loopStart >= SHORTEST_LOOP)) throw new Error("The loop is too short.");
  if (!(endMarker > startMarker)) throw new Error("The end is not behind the start.");
}
