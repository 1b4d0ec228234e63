import { expect, test } from "vitest";
import type { PreviewScene } from "../../../core/protocol/preview-api.ts";
import { clipRows, playbackStates } from "../../../pages/preview/clips/clip-rows.ts";
import {
  type Arrangement,
  arrangeScenes,
  ALL_SCENES,
  findSounds,
  isIn,
  type SceneView,
} from "../../../pages/preview/list/arrange-scenes.ts";
import { sceneState } from "../../../pages/preview/list/scene-state.ts";
import {
  BROKEN,
  faulty,
  loop,
  MANIFEST,
  NEVER_ACCEPTED,
  ONLY_LAYOUT,
  scene,
} from "./preview-scenes.ts";
import { ONE_SHOT } from "../../core/layout/sample-package.ts";

function keysOf({ rows }: Arrangement): readonly string[] {
  return rows.map((row) => (row.isGone ? `(${row.scene.key})` : row.scene.key));
}

test("[V5] shows problems first, and else the order of the folders", () => {
  const scenes = [scene("1"), faulty("2", {}), scene("3"), faulty("4", { isError: true }), BROKEN];
  expect(keysOf(arrangeScenes(null, scenes, ALL_SCENES))).toEqual(["x", "4", "2", "1", "3"]);
});

test("[V5] no row moves while the view stays: not by an edit, a new folder or a removed one", () => {
  const first = arrangeScenes(null, [scene("1"), scene("2"), scene("3")], ALL_SCENES);
  const edited = arrangeScenes(first, [scene("0"), scene("1"), faulty("3", {})], ALL_SCENES);
  expect(keysOf(edited)).toEqual(["1", "(2)", "3", "0"]);
  const again = arrangeScenes(edited, [scene("0"), scene("1"), scene("2"), scene("3")], ALL_SCENES);
  expect(keysOf(again)).toEqual(["1", "2", "3", "0"]);
  // Another view has an order of its own.
  const problems: SceneView = { text: "", filter: "problems" };
  const wrong = [scene("1"), faulty("2", {}), faulty("3", {})];
  const filtered = arrangeScenes(again, wrong, problems);
  expect(keysOf(filtered)).toEqual(["2", "3"]);
  // A corrected one stays until then.
  expect(
    keysOf(arrangeScenes(filtered, [scene("1"), scene("2"), faulty("3", {})], problems)),
  ).toEqual(["2", "3"]);
});

test("[V5] finds scenes by all words in their names, folders, sounds and files", () => {
  const night = scene("2", { name: "Night Drive", tracks: [loop("Kick", { file: "bd-01.wav" })] });
  const found = (text: string, filter: SceneView["filter"] = "all") =>
    [scene("1"), night, BROKEN].filter((one) => isIn({ text, filter }, one)).map(({ key }) => key);
  expect(found("")).toEqual(["1", "2", "x"]);
  expect(found(" NIGHT  drive ")).toEqual(["2"]);
  expect(found("night kick")).toEqual(["2"]);
  expect(found("BD-01")).toEqual(["2"]);
  expect(found("library/x")).toEqual(["x"]);
  expect(found("nothing like it")).toEqual([]);
  expect(found("", "problems")).toEqual(["x"]);
});

test("[V5] finds all sounds of a scene that is found itself, else those that fit", () => {
  const drums = scene("2", { name: "Night Drive", tracks: [loop("Kick"), loop("Snare")] });
  const found = (text: string) => findSounds(text, drums).map(({ id }) => id);
  expect(found("night")).toEqual(["Kick", "Snare"]);
  expect(found("snare")).toEqual(["Snare"]);
  expect(found("night snare")).toEqual(["Snare"]);
  expect(found("night bass")).toEqual([]);
  expect(findSounds("x", BROKEN)).toEqual([]);
});

test("[V5] changed is what was edited or isn't as accepted", () => {
  const view: SceneView = { text: "", filter: "changed" };
  const scenes: readonly PreviewScene[] = [
    scene("1"),
    scene("2", { golden: NEVER_ACCEPTED }),
    scene("3", { manifest: { ...MANIFEST, isChanged: true } }),
    BROKEN,
  ];
  expect(scenes.filter((one) => isIn(view, one)).map(({ key }) => key)).toEqual(["2", "3"]);
});

test("[V5] says of a scene what is wrong with it, otherwise how its layout compares", () => {
  const words = (one: PreviewScene) => [sceneState(one).tone, sceneState(one).words];
  expect(words(BROKEN)).toEqual(["bad", "can’t be used"]);
  expect(words(faulty("1", {}))).toEqual(["mixed", "1 problem"]);
  expect(words(faulty("1", { isError: true }, {}))).toEqual(["bad", "2 problems"]);
  const unreadable = { status: "unreadable", error: "It is no layout.", problems: [] } as const;
  expect(words(scene("1", { golden: unreadable }))).toEqual(["bad", "1 problem"]);
  expect(words(scene("1"))).toEqual(["good", "accepted"]);
  const hints = [{ sound: "a", code: "CHUNKS_CHANGED" }] as const;
  const problem = { sound: "a", code: "FILE_ABSENT", text: "It is gone.", isAcceptable: true };
  const golden = { status: "same", hints, problems: [] } as const;
  expect(words(scene("1", { golden }))).toEqual(["good", "accepted"]);
  expect(words(scene("1", { golden: { ...golden, problems: [problem] } }))).toEqual([
    "bad",
    "1 faulty file",
  ]);
  expect(words(scene("1", { golden: NEVER_ACCEPTED }))).toEqual(["mixed", "not accepted yet"]);
});

test("[V5] a row has the sound's facts, and its state: problem, change, playback, scene", () => {
  const drums = scene("1", {
    tracks: [loop("a", { fields: { role: "drums" } }), loop("b", { ...ONE_SHOT, color: null })],
  });
  const rows = clipRows(drums, drums.tracks).map(({ row }) => row);
  expect(rows[0]).toMatchObject({
    name: "a",
    kind: "loop",
    role: "drums",
    color: "#92A7FF",
    tempoBpm: 120,
    lengthBeats: 4,
    durationSeconds: 2,
    state: null,
  });
  expect(rows[1]).toMatchObject({ kind: "oneshot", role: null, color: null, tempoBpm: null });
  const wordsOf = (one: typeof drums, options = {}) =>
    clipRows(one, one.tracks, options).map(({ row }) => row.state?.words ?? "");
  expect(wordsOf(faulty("1", { soundId: "b" }))).toEqual(["", "1 problem"]);
  const difference = { sound: "a", setting: "tempo_bpm", accepted: 1, now: 2 };
  const accepted = { scene: { name: "" }, tracks: [], warnings: [] };
  const differs = {
    status: "differs",
    accepted,
    differences: [difference],
    ...ONLY_LAYOUT,
  } as const;
  expect(wordsOf(scene("1", { golden: differs }))).toEqual(["Changed", ""]);
  expect(wordsOf(drums, { isAmongOthers: true })).toEqual(["Scene 1", "Scene 1"]);
  const broken = { ...loop("c"), error: "It is gone." };
  const [row] = clipRows(drums, [broken]).map((one) => one.row);
  expect(row).toMatchObject({ state: { words: "Can’t be used" }, silentBecause: "It is gone." });
});

test("[V6] says of each sound how it plays, if that is not as it is", () => {
  const sounds = [
    loop("same", { tempo_bpm: 100 }),
    loop("faster"),
    loop("guessed", { loop_beats: null, tempo_bpm: null }),
    loop("gone"),
    loop("slow"),
  ];
  const states = playbackStates(scene("1", { tracks: sounds }), 100, {
    errors: new Map([["gone", "It is gone."]]),
    rendering: new Set(["slow"]),
  });
  expect([...states].map(([id, { words }]) => [id, words])).toEqual([
    ["faster", "×0.833 here"],
    ["guessed", "Not in sync"],
    ["gone", "Can’t play"],
    ["slow", "Warping…"],
  ]);
  expect(states.get("gone")?.because).toBe("It is gone.");
});
