import { expect, test } from "vitest";
import { NoLayoutError, parseLayoutJson } from "../../../core/layout/parse-layout-json.ts";

const HIT = {
  id: "hit",
  track: "Hit (App)",
  clip: "Hit",
  kind: "oneshot",
  warping: false,
  warp_mode: null,
  looping: false,
  loop_beats: null,
  tempo_bpm: null,
  color_index: 10,
  gain_db: -3,
  notes: ["A note."],
};
const LOST = { id: "lost", track: "Lost (App)", clip: "Lost", kind: "loop", error: "Not there." };
const LAYOUT = {
  scene: { name: "Night (App)" },
  tracks: [HIT, { ...HIT, id: "loop", kind: "loop", warp_mode: "beats", loop_beats: 3.5 }, LOST],
  warnings: [
    { code: "CUT", message: "It was cut." },
    { code: "CUT", message: "So was this.", sound: "hit", field: "name" },
  ],
};

test("[B2] a layout that was written down is read as it is", () => {
  expect(parseLayoutJson(LAYOUT)).toEqual(LAYOUT);
});

test("[B2] members that a layout doesn't have mean nothing and are left out", () => {
  const more = (one: object) => ({ ...one, mood: [["dark"]] });
  const { scene, tracks, warnings } = LAYOUT;
  const wordy = {
    scene: more(scene),
    tracks: tracks.map((track) => ("error" in track ? more(track) : more({ ...track, error: 1 }))),
    warnings: warnings.map(more),
  };
  expect(parseLayoutJson(more(wordy))).toEqual(LAYOUT);
});

test.each<[sentence: string, value: unknown]>([
  ["This is not a layout.", null],
  ["This is not a layout.", [LAYOUT]],
  ["This is not a layout.", { scene: LAYOUT.scene, tracks: [] }],
  ["This is not a layout: scene/name is invalid", { ...LAYOUT, scene: { name: 3 } }],
  ["This is not a layout: tracks is invalid", { ...LAYOUT, tracks: { hit: HIT } }],
  ["This is not a layout: tracks/0 is invalid", { ...LAYOUT, tracks: ["hit"] }],
  ["This is not a layout: tracks/0 is invalid", { ...LAYOUT, tracks: [without("gain_db")] }],
  ["This is not a layout: tracks/1/warp_mode is invalid", withTrack({ ...HIT, warp_mode: "slow" })],
  ["This is not a layout: tracks/1/kind is invalid", withTrack({ ...LOST, kind: "riser" })],
  ["This is not a layout: tracks/1/notes/0 is invalid", withTrack({ ...HIT, id: "x", notes: [1] })],
  [
    "This is not a layout: tracks/1/color_index is invalid",
    withTrack({ ...HIT, color_index: 1.5 }),
  ],
  [
    "This is not a layout: tracks/1 is invalid",
    withTrack({ ...HIT, id: "x", error: "And unusable." }),
  ],
  ["This is not a layout: warnings/0 is invalid", { ...LAYOUT, warnings: [{ code: "CUT" }] }],
  ['This is not a layout: two tracks have the id "hit".', withTrack(HIT)],
])("[B2] what is no layout is refused: %s", (sentence, value) => {
  const parse = () => parseLayoutJson(value);
  expect(parse).toThrow(NoLayoutError);
  expect(parse).toThrow(sentence);
});

function without(setting: keyof typeof HIT): object {
  return Object.fromEntries(Object.entries(HIT).filter(([name]) => name !== setting));
}

function withTrack(track: object): object {
  return { ...LAYOUT, tracks: [HIT, track] };
}
