import type { LiveFacts } from "../../core/protocol/live-report.ts";
import { type Check, CHECK_NAME, type CheckPlace } from "./check.ts";
import { call, errorOf, float, get, numberIn, read, set, take, wait, type Work } from "./steps.ts";
import { slotIn, withClip } from "./check-clips.ts";
import { findOurs, makeTrack } from "./check-tracks.ts";

/** A number beyond the tracks and scenes of any Set. */
const NO_SUCH_PLACE = 99_999;
const MOST_UNDO_STEPS = 40;

/** Finds out Live's errors for calls that it refuses. */
function* refusals(at: CheckPlace): Work<LiveFacts> {
  const slot = slotIn(at);
  const midi = ["tracks", at.midiTrack, "clip_slots", 0, "create_audio_clip"];
  const onMidi = yield* errorOf(call(midi, at.sounds.loop));
  const broken = yield* errorOf(call([...slot, "create_audio_clip"], at.sounds.broken));
  const empty = yield* errorOf(call([...slot, "delete_clip"]));
  const occupied = yield* withClip(at, "loop", () =>
    errorOf(call([...slot, "create_audio_clip"], at.sounds.loop)),
  );
  return {
    full_slot: occupied,
    midi_track: onMidi,
    bad_file: broken,
    empty_slot: empty,
    track_out_of_range: yield* errorOf(call(["create_audio_track"], NO_SUCH_PLACE)),
    scene_out_of_range: yield* errorOf(call(["create_scene"], NO_SUCH_PLACE)),
    deleted_track_out_of_range: yield* errorOf(call(["delete_track"], NO_SUCH_PLACE)),
    deleted_scene_out_of_range: yield* errorOf(call(["delete_scene"], NO_SUCH_PLACE)),
  };
}

/** Finds out where Live accepts a whole number for a float, and the other way round. */
function* numbers(at: CheckPlace): Work<LiveFacts> {
  const track = ["tracks", at.audioTrack];
  return yield* withClip(at, "loop", function* (clip) {
    const [mode] = yield* read(clip, ["warp_mode"]);
    return {
      int_for_gain: yield* errorOf(set([...clip, "gain"], 0)),
      int_for_volume: yield* errorOf(set([...track, "mixer_device", "volume", "value"], 0)),
      int_for_pitch_fine: yield* errorOf(set([...clip, "pitch_fine"], 0)),
      float_for_warp_mode: yield* errorOf(set([...clip, "warp_mode"], float(numberIn(mode)))),
      float_for_color: yield* errorOf(set([...clip, "color_index"], float(5))),
      bool_for_color: yield* errorOf(set([...clip, "color_index"], true)),
      int_for_muted: yield* errorOf(set([...clip, "muted"], 0)),
      color_out_of_range: yield* errorOf(set([...clip, "color_index"], 70)),
      warp_mode_out_of_range: yield* errorOf(set([...clip, "warp_mode"], 9)),
      gain_out_of_range: yield* errorOf(set([...clip, "gain"], float(1.5))),
    };
  });
}

/** Finds out which settings a scene has; removes the scene afterwards. */
function* scene(): Work<LiveFacts> {
  const [count] = yield* read([], ["scenes"]);
  const [made, named, , color, tempo, data] = yield [
    call(["create_scene"], -1),
    set([0, "name"], `${CHECK_NAME} scene`),
    get("scenes"),
    get(0, "color_index"),
    get(0, "tempo"),
    call([0, "set_data"], "soundferry", "{}"),
  ];
  const place = numberIn(count);
  const [name] = yield* read(["scenes", place], ["name"]);
  const isThere = made?.error === null && name === `${CHECK_NAME} scene`;
  return {
    error: made?.error ?? null,
    naming: named?.error ?? null,
    is_at_the_end: isThere,
    color: color?.value ?? null,
    tempo: tempo?.value ?? null,
    set_data: data?.error ?? null,
    removing: isThere ? yield* errorOf(call(["delete_scene"], place)) : null,
  };
}

/**
 * Counts the undo steps of a small import: two tracks, two clips, a marker, names, over several ticks. It undoes
 * only in a Set in which nothing could be undone before, so that no work of the person is undone.
 */
function* undo(at: Pick<CheckPlace, "sounds">): Work<LiveFacts> {
  const [before, could] = yield* read([], ["tracks", "can_undo"]);
  if (could !== false) return { could_undo_before: could ?? null, steps: null };
  yield [call(["end_undo_step"]), call(["begin_undo_step"])];
  yield makeTrack("create_audio_track");
  yield* wait(1);
  yield makeTrack("create_audio_track");
  for (const place of yield* findOurs()) {
    const slot = ["tracks", place, "clip_slots", 0];
    yield* take(call([...slot, "create_audio_clip"], at.sounds.loop));
    yield* take(set([...slot, "clip", "warping"], true));
    yield* wait(2);
    yield* take(call([...slot, "clip", "add_warp_marker"], float(3.9), float(7.8)));
    yield* take(set([...slot, "clip", "name"], `${CHECK_NAME} undo`));
  }
  yield [call(["end_undo_step"])];
  let steps = 0;
  for (; steps < MOST_UNDO_STEPS; steps += 1) {
    const [tracks, can] = yield* read([], ["tracks", "can_undo"]);
    if (tracks === before || can !== true) break;
    yield* take(call(["undo"]));
    yield* wait(1);
  }
  const [tracks] = yield* read([], ["tracks"]);
  return { could_undo_before: false, steps, undoes_all: tracks === before };
}

export const UNDO_CHECK = {
  id: "undo",
  question: "How many undo steps does a small import take?",
  find: undo,
};

export const REFUSAL_CHECKS: readonly Check[] = [
  { id: "scene", question: "What can be set on a scene?", find: scene },
  { id: "refusals", question: "What does Live say where it refuses something?", find: refusals },
  { id: "numbers", question: "Which numbers does Live take for which?", find: numbers },
];
