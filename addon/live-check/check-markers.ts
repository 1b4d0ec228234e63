import type { LiveFacts } from "../../core/protocol/live-report.ts";
import { type Check, type CheckPlace, LOOP_SECONDS } from "./check.ts";
import {
  call,
  errorOf,
  float,
  numberIn,
  type Path,
  read,
  set,
  take,
  type Value,
  type Work,
} from "./steps.ts";
import { markersOf, withWarpedClip } from "./check-clips.ts";

type Markers = readonly (readonly Value[])[];

const LOOP_BEATS = 8;

const add = (clip: Path, seconds: number, beats: number) =>
  call([...clip, "add_warp_marker"], float(seconds), float(beats));
const remove = (clip: Path, beats: number) => call([...clip, "remove_warp_marker"], float(beats));
const beatOf = (markers: Markers, index: number) => numberIn(markers.at(index)?.[1]);

/** Finds out how warp markers are added and removed, their limits, and the behavior of the hidden last one. */
function* markers(at: CheckPlace): Work<LiveFacts> {
  return yield* withWarpedClip(at, function* (clip) {
    const hidden = beatOf(yield* markersOf(clip), -1);
    const hiddenMove = yield* errorOf(call([...clip, "move_warp_marker"], float(hidden), float(1)));
    const hiddenRemoval = yield* errorOf(remove(clip, hidden));
    yield* leaveFirst(clip);
    const lastRemoval = yield* errorOf(remove(clip, beatOf(yield* markersOf(clip), 0)));
    yield* leaveFirst(clip);
    const [first] = yield* markersOf(clip);
    const [seconds, beats] = [numberIn(first?.[0]), numberIn(first?.[1])];
    const line = (later: number) => beats + (later - seconds) * 2;
    const middle = (seconds + LOOP_SECONDS) / 2;
    const adding = yield* errorOf(add(clip, middle, line(middle)));
    const added = yield* markersOf(clip);
    const twice = yield* errorOf(add(clip, middle, line(middle)));
    const countTwice = (yield* markersOf(clip)).length;
    const slope = slopeAtEnd(added);
    yield* take(remove(clip, line(middle)));
    const slopeThen = slopeAtEnd(yield* markersOf(clip));
    const later = middle + 0.1;
    const keywords = { sample_time: float(later), beat_time: float(line(later)) };
    const named = yield* errorOf(call([...clip, "add_warp_marker"], keywords));
    const isNamedRight = (yield* markersOf(clip)).some(
      ([at]) => Math.abs(numberIn(at) - later) < 1e-6,
    );
    yield* leaveFirst(clip);
    const atEnd = yield* errorOf(add(clip, LOOP_SECONDS, line(LOOP_SECONDS)));
    yield* leaveFirst(clip);
    const pastEnd = yield* errorOf(add(clip, LOOP_SECONDS + 1, line(LOOP_SECONDS + 1)));
    const tooFast = yield* errorOf(add(clip, middle, beats + (middle - seconds) * 17));
    const tooSlow = yield* errorOf(add(clip, middle, beats + (middle - seconds) * 0.08));
    const missing = yield* errorOf(remove(clip, 777));
    return {
      adding,
      added: added.slice(0, 3),
      same_twice: twice,
      same_twice_adds: countTwice > added.length,
      keywords: named,
      keywords_are_right: isNamedRight,
      hidden_move: hiddenMove,
      hidden_removal: hiddenRemoval,
      last_visible_removal: lastRemoval,
      hidden_bpm: slope,
      hidden_bpm_after_removal: slopeThen,
      at_file_end: atEnd,
      past_file_end: pastEnd,
      too_fast: tooFast,
      too_slow: tooSlow,
      missing,
    };
  });
}

/** Finds out which ends of loops and clips Live accepts, with markers at 120 BPM. */
function* ends(at: CheckPlace): Work<LiveFacts> {
  return yield* withWarpedClip(at, function* (clip) {
    yield* layAt120(clip);
    const [wasLooping] = yield* read(clip, ["looping"]);
    yield* take(set([...clip, "looping"], false));
    const start = yield* errorOf(set([...clip, "start_marker"], float(1)));
    const [startThen] = yield* read(clip, ["start_marker"]);
    const looping = yield* errorOf(set([...clip, "looping"], true));
    const write = (member: string, beats: number) => set([...clip, member], float(beats));
    yield* take(write("loop_start", 0));
    const whole = yield* errorOf(write("loop_end", LOOP_BEATS));
    const [wholeThen] = yield* read(clip, ["loop_end"]);
    const inverted = yield* errorOf(write("loop_start", LOOP_BEATS + 1));
    const slack: Record<string, boolean> = {};
    for (const seconds of [1e-9, 1e-7, 1e-5, 1e-3, 1]) {
      const beats = LOOP_BEATS + 2 * seconds;
      const error = yield* errorOf(write("loop_end", beats));
      const [held] = yield* read(clip, ["loop_end"]);
      slack[seconds] = error === null && Math.abs(numberIn(held) - beats) <= seconds;
      yield* take(write("loop_end", LOOP_BEATS));
    }
    const past = yield* errorOf(write("loop_end", LOOP_BEATS + 4));
    yield* take(write("loop_end", LOOP_BEATS));
    const early = yield* errorOf(write("loop_start", -1));
    return {
      was_looping: wasLooping ?? null,
      start_without_loop: start,
      start_without_loop_holds: startThen === 1,
      looping,
      whole_loop: whole,
      whole_loop_end: wholeThen ?? null,
      inverted,
      past_the_file: past,
      before_the_file: early,
      taken_seconds_past: Object.keys(slack)
        .filter((seconds) => slack[seconds])
        .map(Number),
    };
  });
}

/** Removes all visible markers but the first. */
function* leaveFirst(clip: Path): Work<void> {
  const visible = (yield* markersOf(clip)).slice(1, -1).toReversed();
  for (const [, beats] of visible) yield* take(remove(clip, numberIn(beats)));
}

/** Puts beat 0 at the file's start, at 120 BPM. */
export function* layAt120(clip: Path): Work<void> {
  yield* leaveFirst(clip);
  const [first] = yield* markersOf(clip);
  if (first?.[0] !== 0 || first[1] !== 0) {
    yield* take(add(clip, 3, 6));
    yield* take(remove(clip, numberIn(first?.[1])));
    yield* take(add(clip, 0, 0));
  }
  yield* take(add(clip, 2, 4));
  const others = (yield* markersOf(clip)).slice(0, -1).filter(([at]) => at !== 0 && at !== 2);
  for (const [, beats] of others) yield* take(remove(clip, numberIn(beats)));
}

/** Returns the tempo from the last visible marker to the hidden one, in BPM to a thousandth. */
function slopeAtEnd(all: Markers): number | null {
  const [left, right] = all.slice(-2);
  const seconds = numberIn(right?.[0]) - numberIn(left?.[0]);
  const beats = numberIn(right?.[1]) - numberIn(left?.[1]);
  return seconds > 0 ? Math.round((60_000 * beats) / seconds) / 1000 : null;
}

export const MARKER_CHECKS: readonly Check[] = [
  { id: "markers", question: "What may be done with warp markers?", find: markers },
  { id: "ends", question: "Which loops does Live take?", find: ends },
];
