import type { LiveFacts } from "../../core/protocol/live-report.ts";
import { type Check, CHECK_NAME, type CheckPlace } from "./check.ts";
import { markersOf, slotIn } from "./check-clips.ts";
import { layAt120 } from "./check-markers.ts";
import { call, errorOf, get, numberIn, read, set, take, wait, type Work } from "./steps.ts";

/** The time for which Live's analysis of a long file is watched: half a minute. */
const WATCHED_TICKS = 300;
const NUMBERED = ["# check", "#F check", "F#m check", "## check"] as const;

/** Finds out whether Live selects a scene or opens a clip that the script makes. */
function* selection(at: CheckPlace): Work<LiveFacts> {
  const [count] = yield* read([], ["scenes"]);
  const [scene] = yield [call(["create_scene"], -1), set([0, "name"], `${CHECK_NAME} scene`)];
  const selected = yield* take(get("view", "selected_scene", "name"));
  if (scene?.error === null) yield* take(call(["delete_scene"], numberIn(count)));
  const slot = slotIn(at);
  const name = `${CHECK_NAME} clip`;
  const clip = yield* take(call([...slot, "create_audio_clip"], at.sounds.loop));
  yield* take(set([...slot, "clip", "name"], name));
  yield* wait(1);
  const [opened, lit] = yield [
    get("view", "detail_clip", "name"),
    get("view", "highlighted_clip_slot", "clip", "name"),
  ];
  yield* take(call([...slot, "delete_clip"]));
  return {
    scene_error: scene?.error ?? null,
    scene_is_selected: scene?.error === null ? selected.value === `${CHECK_NAME} scene` : null,
    clip_error: clip.error,
    clip_is_opened: opened?.value === name,
    slot_is_highlighted: lit?.value === name,
  };
}

/** Finds out which track names Live changes: it may read a number sign as a placeholder. */
function* numberSigns({ audioTrack }: CheckPlace): Work<LiveFacts> {
  const path = ["tracks", audioTrack, "name"];
  const names: (readonly [string, string | null])[] = [];
  for (const name of NUMBERED) {
    yield* take(set(path, name));
    const { value } = yield* take(get(...path));
    names.push([name, typeof value === "string" ? value : null]);
  }
  yield* take(set(path, `${CHECK_NAME} track`));
  return { names, keeps_all: names.every(([asked, held]) => asked === held) };
}

/** Finds out when Live has analyzed a file of three minutes, and whether that replaces markers that were laid. */
function* lateAnalysis(at: CheckPlace): Work<LiveFacts> {
  const slot = slotIn(at);
  const clip = [...slot, "clip"];
  const made = yield* take(call([...slot, "create_audio_clip"], at.sounds.minutes));
  if (made.error !== null) return { error: made.error };
  yield* wait(1);
  const [warping] = yield* read(clip, ["warping"]);
  yield* take(set([...clip, "warping"], true));
  yield* wait(2);
  yield* layAt120(clip);
  const laid = JSON.stringify(yield* markersOf(clip));
  let [seen, changes, lastChange] = [laid, 0, 0];
  for (let { tick } = made; tick < made.tick + WATCHED_TICKS;) {
    ({ tick } = yield* take(get("tempo")));
    const now = JSON.stringify(yield* markersOf(clip));
    if (now === seen) continue;
    [seen, changes, lastChange] = [now, changes + 1, tick - made.tick];
  }
  yield* take(call([...slot, "delete_clip"]));
  return {
    error: null,
    was_warped: warping ?? null,
    replaces_markers: seen !== laid,
    changes,
    last_change_ticks: changes === 0 ? null : lastChange,
  };
}

/** Finds out whether the Set takes one more scene: some editions make as many as their default Set has. */
function* oneMoreScene(): Work<LiveFacts> {
  const [count] = yield* read([], ["scenes"]);
  const error = yield* errorOf(call(["create_scene"], -1));
  const [now] = yield* read([], ["scenes"]);
  const isMade = numberIn(now) > numberIn(count);
  if (isMade) yield* take(call(["delete_scene"], numberIn(count)));
  return { scenes: count ?? null, takes_one_more: isMade, error };
}

export const HABIT_CHECKS: readonly Check[] = [
  { id: "one-more-scene", question: "Does this Set take one more scene?", find: oneMoreScene },
  { id: "selection", question: "Does Live select what the script makes?", find: selection },
  {
    id: "number-sign",
    question: "Does Live change a number sign in a track's name?",
    find: numberSigns,
  },
  {
    id: "late-analysis",
    question: "When is a file of three minutes analyzed, and does that replace markers?",
    find: lateAnalysis,
  },
];
