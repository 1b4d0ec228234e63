import type { LiveFact, LiveFacts } from "../../core/protocol/live-report.ts";
import { type Check, type CheckPlace, LOOP_SECONDS } from "./check.ts";
import {
  call,
  get,
  type Path,
  read,
  readEach,
  set,
  take,
  type Value,
  wait,
  type Work,
} from "./steps.ts";

const STATE = [
  "warping",
  "looping",
  "warp_mode",
  "gain",
  "pitch_coarse",
  "pitch_fine",
  "loop_start",
  "loop_end",
  "start_marker",
  "end_marker",
] as const;
const WATCHED_TICKS = 20;
const LONGEST_WARPING_TICKS = 50;

/** Returns the path of the first slot of the check's track. */
export function slotIn({ audioTrack }: CheckPlace): Path {
  return ["tracks", audioTrack, "clip_slots", 0];
}

/** Makes a clip, works with it, and removes it. */
export function* withClip<Outcome>(
  at: CheckPlace,
  sound: "loop" | "long",
  work: (clip: Path) => Work<Outcome>,
): Work<Outcome> {
  const slot = slotIn(at);
  yield* take(call([...slot, "create_audio_clip"], at.sounds[sound]));
  yield* wait(1);
  const outcome = yield* work([...slot, "clip"]);
  yield* take(call([...slot, "delete_clip"]));
  return outcome;
}

/** Makes a warped clip, works with it, and removes it. */
export function withWarpedClip<Outcome>(
  at: CheckPlace,
  work: (clip: Path) => Work<Outcome>,
): Work<Outcome> {
  return withClip(at, "loop", function* (clip) {
    yield* take(set([...clip, "warping"], true));
    yield* wait(2);
    return yield* work(clip);
  });
}

export function* markersOf(clip: Path): Work<readonly (readonly Value[])[]> {
  return yield* readEach([...clip, "warp_markers"], ["sample_time", "beat_time"]);
}

/** Returns the work that finds out how a new clip looks, and whether Live changes it later. */
export const fresh = (sound: "loop" | "long") =>
  function* (at: CheckPlace): Work<LiveFacts> {
    const slot = slotIn(at);
    const clip = [...slot, "clip"];
    const [made] = yield [call([...slot, "create_audio_clip"], at.sounds[sound])];
    const first = yield* stateOf(clip);
    let changedAfter: number | null = null;
    const begin = made?.tick ?? 0;
    for (let tick = begin; tick < begin + WATCHED_TICKS && changedAfter === null;) {
      ({ tick } = yield* take(get("tempo")));
      const now = yield* stateOf(clip);
      if (JSON.stringify(now) !== JSON.stringify(first)) changedAfter = tick - begin;
    }
    const last = changedAfter === null ? first : yield* stateOf(clip);
    yield* take(call([...slot, "delete_clip"]));
    return {
      error: made?.error ?? null,
      returns: made?.value ?? null,
      ...last,
      changes_after_ticks: changedAfter,
    };
  };

function* stateOf(clip: Path): Work<Record<string, LiveFact>> {
  const values = yield* read(clip, STATE);
  const state = Object.fromEntries(STATE.map((name, index) => [name, values[index] ?? null]));
  const markers = yield* take(get(...clip, "warp_markers"));
  return { ...state, markers_error: markers.error, markers: yield* markersOf(clip) };
}

/** Finds out when a change of `warping` takes effect. */
function* warping(at: CheckPlace): Work<LiveFacts> {
  return yield* withClip(at, "loop", function* (clip) {
    const [before] = yield* read(clip, ["warping"]);
    const path = [...clip, "warping"];
    const [written, atOnce] = yield [set(path, before !== true), get(...path)];
    const begin = written?.tick ?? 0;
    let now = yield* take(get(...path));
    while (now.value === before && now.tick < begin + LONGEST_WARPING_TICKS) {
      now = yield* take(get(...path));
    }
    const ends = yield* read(clip, ["looping", "loop_end", "end_marker"]);
    yield* take(set(path, before === true));
    yield* wait(2);
    const endsThen = yield* read(clip, ["looping", "loop_end", "end_marker"]);
    return {
      error: written?.error ?? null,
      was: before ?? null,
      reads_at_once: atOnce?.value !== before,
      after_ticks: now.value === before ? null : now.tick - begin,
      ends,
      ends_switched_back: endsThen,
    };
  });
}

/** Finds out how Live displays a clip's gain. */
function* gain(at: CheckPlace): Work<LiveFacts> {
  return yield* withClip(at, "loop", function* (clip) {
    const points: LiveFact[] = [];
    for (const value of [0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.75, 1]) {
      const [written, shown, held] = yield [
        set([...clip, "gain"], { float: value }),
        get(...clip, "gain_display_string"),
        get(...clip, "gain"),
      ];
      points.push([value, shown?.value ?? null, held?.value ?? null, written?.error ?? null]);
    }
    return { points };
  });
}

/** Finds out which paths Live reports for a clip's file and for an unsaved Set. */
function* files(at: CheckPlace): Work<LiveFacts> {
  const [set] = yield [get("file_path")];
  return yield* withClip(at, "loop", function* (clip) {
    const [path] = yield* read(clip, ["file_path"]);
    const [frames, rate] = yield* read(clip, ["sample_length", "sample_rate"]);
    return {
      clip_path: path === at.sounds.loop ? "as given" : "other",
      set_path:
        set?.error ?? (set?.value === "" ? "empty" : set?.value === null ? "none" : "there"),
      frames: frames ?? null,
      sample_rate: rate ?? null,
      seconds_asked: LOOP_SECONDS,
    };
  });
}

export const CLIP_CHECKS: readonly Check[] = [
  { id: "fresh-loop", question: "How does a new short clip look?", find: fresh("loop") },
  { id: "fresh-long", question: "How does a new long clip look?", find: fresh("long") },
  {
    id: "fresh-again",
    question: "How long does a clip of a file take that Live knows already?",
    find: fresh("long"),
  },
  { id: "warping", question: "When does a change of warping take effect?", find: warping },
  { id: "gain", question: "What does Live display for a clip's gain?", find: gain },
  { id: "files", question: "Which paths does Live tell?", find: files },
];
