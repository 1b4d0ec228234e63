import { expect, test } from "vitest";
import {
  COMPARED_HEADINGS,
  compareSides,
  differingColumns,
  filledColumns,
} from "../../../pages/preview/compare/compare-sides.ts";
import { keepUnchanged, announceChange } from "../../../pages/preview/list/scene-state.ts";
import { pictureClip, formatClip } from "../../../pages/preview/clips/picture-clip.ts";
import {
  isPlayable,
  updatePlayed,
  tempoOf,
} from "../../../pages/preview/transport/chosen-scene.ts";
import { formatLink } from "../../../pages/preview/format-link.ts";
import type { SoundAudioJson } from "../../../core/layout/audio-schema.ts";
import { compareAudio } from "../../../core/layout/compare-audio.ts";
import { compareLayouts } from "../../../core/layout/compare-layouts.ts";
import type { LayoutJson } from "../../../core/layout/layout-json.ts";
import type { PreviewReadScene, PreviewUsableTrack } from "../../../core/protocol/preview-api.ts";
import { BROKEN, loop, NEVER_ACCEPTED, NO_AUDIO, ONLY_LAYOUT, scene } from "./preview-scenes.ts";
import { ONE_SHOT } from "../../core/layout/sample-package.ts";

function layoutOf({ name, tracks, warnings }: PreviewReadScene): LayoutJson {
  return { scene: { name }, tracks, warnings };
}

function differing(now: PreviewReadScene, accepted: LayoutJson): PreviewReadScene {
  const differences = compareLayouts(accepted, layoutOf(now));
  return { ...now, golden: { status: "differs", accepted, differences, ...ONLY_LAYOUT } };
}

test("[V5] a clip is drawn as long as the longer of its file and its loop", () => {
  const exact = pictureClip(loop("a"));
  expect(exact).toEqual({ drawnSeconds: 2, fileEnd: 1, loopEnd: 1, beats: [0.25, 0.5, 0.75] });
  const tail = pictureClip(loop("a", { frames: 192_000 }));
  expect(tail).toEqual({
    drawnSeconds: 4,
    fileEnd: 1,
    loopEnd: 0.5,
    beats: [0.125, 0.25, 0.375],
  });
  const silence = pictureClip(loop("a", { loop_beats: 5 }));
  expect(silence).toMatchObject({ drawnSeconds: 2.5, fileEnd: 0.8, loopEnd: 1 });
  expect(silence.beats).toHaveLength(4);
  const guessed = pictureClip(loop("a", { loop_beats: null, tempo_bpm: null }));
  expect(guessed).toEqual({ drawnSeconds: 2, fileEnd: 1, loopEnd: null, beats: [] });
  expect(pictureClip(loop("a", ONE_SHOT))).toEqual(guessed);
});

test("[V5] formats a clip's settings briefly", () => {
  const wordsOf = (more: Partial<PreviewUsableTrack>) =>
    formatClip(loop("a", more)).map(([, words]) => words);
  expect(wordsOf({ loop_beats: 3.5, gain_db: -12 })).toEqual([
    "Beats",
    "3.5 beats",
    "120 BPM",
    "−12 dB",
  ]);
  expect(wordsOf({ loop_beats: null, tempo_bpm: null })).toEqual([
    "Beats",
    "beats guessed",
    "tempo guessed",
    "0 dB",
  ]);
  expect(wordsOf(ONE_SHOT)).toEqual(["One-shot", "2 s", "0 dB"]);
});

test("[V5] announces an edit in a sentence, and many edits as a number", () => {
  const before = [scene("1"), scene("2"), scene("3")];
  const edited = differing(scene("1"), layoutOf(scene("1", { name: "Other" })));
  expect(announceChange(before, before)).toEqual([]);
  expect(announceChange(before, [edited, ...before.slice(1)])).toEqual([
    "Scene 1 changed: 1 difference.",
  ]);
  expect(announceChange(before, before.slice(1))).toEqual(["Scene 1 was removed."]);
  expect(announceChange([], [scene("1")])).toEqual(["Scene 1 is new: accepted."]);
  expect(announceChange([scene("x")], [BROKEN])).toEqual(["Scene x can’t be used: It is no JSON."]);
  const all = ["1", "2", "3", "4"].map((key) => scene(key));
  expect(announceChange([], all)).toEqual(["4 scenes have changed."]);
});

test("[V5] keeps the object of an unchanged scene", () => {
  const before = [scene("1"), scene("2")];
  const told = [scene("1"), scene("2", { revision: "2" })];
  const kept = keepUnchanged(before, told);
  expect(kept[0]).toBe(before[0]);
  expect(kept[1]).toBe(told[1]);
});

test("[V5] the page says whether it is current", () => {
  const state = { version: "1", isWatching: true, trouble: null, scenes: [] };
  expect(formatLink("live", state).words).toBe("Watching for edits");
  expect(formatLink("live", { ...state, isWatching: false }).words).toBe("Reload to see edits");
  expect(formatLink("looking", null).words).toBe("Connecting to the preview…");
  expect(formatLink("lost", state)).toEqual({ words: "The preview isn’t responding", tone: "bad" });
});

test("[V6] plays a scene at the typed tempo, otherwise at its own", () => {
  const [first, second] = [scene("1"), scene("2", { tempoBpm: null })];
  const typed = { typedTempi: new Map([["1", 90]]) };
  const untyped = { typedTempi: new Map<string, number>() };
  expect([first, BROKEN, scene("3", { tracks: [] })].map(isPlayable)).toEqual([true, false, false]);
  expect(tempoOf(first, untyped)).toBe(126);
  expect(tempoOf(second, untyped)).toBe(120);
  expect(tempoOf(first, typed)).toBe(90);
  expect(tempoOf(second, typed)).toBe(120);
  expect(tempoOf(scene("3", { tempoBpm: null, tracks: [loop("a", ONE_SHOT)] }), untyped)).toBe(120);
});

test("[V9] a playing scene follows edits, and keeps what is broken as it was", () => {
  const before = scene("1", { tracks: [loop("a"), loop("b")] });
  const broken = {
    id: "b",
    track: "b (App)",
    clip: "b",
    kind: "loop",
    file: "b.wav",
    fields: {},
    line: 5,
  } as const;
  const now = scene("1", { tracks: [loop("a", { gain_db: -6 }), { ...broken, error: "Gone." }] });
  const goesOn = updatePlayed(before, [BROKEN, now]);
  expect(goesOn?.tracks).toEqual([loop("a", { gain_db: -6 }), loop("b")]);
  expect(goesOn && updatePlayed(goesOn, [now])).toEqual(goesOn);
  expect(goesOn && updatePlayed(goesOn, [before])).toBe(before);
  expect(updatePlayed(before, [{ ...BROKEN, key: "1" }])).toBe(before);
  expect(updatePlayed(before, [BROKEN])).toBeUndefined();
  const without = scene("1", { tracks: [loop("a")] });
  expect(updatePlayed(before, [without])).toBe(without);
});

test("[V7] aligns the two layouts row by row, and marks what differs", () => {
  const now = scene("1", { tracks: [loop("a"), loop("b", { tempo_bpm: 126 }), loop("new")] });
  const accepted = layoutOf(
    scene("1", {
      name: "Before",
      tracks: [loop("a"), loop("b"), loop("gone", { notes: ["Old."] })],
    }),
  );
  const sides = compareSides(differing(now, accepted));
  const marked = (side: typeof sides.accepted) =>
    (side?.rows ?? []).map(({ soundId, cells }) => [
      soundId,
      cells?.filter(({ isOther }) => isOther).map(({ words }) => words) ?? "not there",
    ]);
  expect(sides.accepted?.scene).toEqual({ words: "Before", isOther: true });
  expect(sides.now.scene).toEqual({ words: "Scene 1", isOther: true });
  expect(marked(sides.accepted)).toEqual([
    ["a", []],
    ["b", ["120 BPM"]],
    ["new", "not there"],
    ["gone", ["gone (App)"]],
  ]);
  expect(marked(sides.now)).toEqual([
    ["a", []],
    ["b", ["126 BPM"]],
    ["new", ["new (App)"]],
    ["gone", "not there"],
  ]);
  expect(sides.now.rows.map(({ isSame }) => isSame)).toEqual([true, false, false, false]);
  const columns = differingColumns(sides.accepted === null ? [] : [sides.accepted, sides.now]);
  expect(columns.map((column) => COMPARED_HEADINGS[column])).toEqual(["#", "Track name", "Tempo"]);
});

test("[V7] marks reordered sounds, warnings and what can't be used", () => {
  const unusable = {
    id: "c",
    track: "c (App)",
    clip: "c",
    kind: "loop",
    error: "No file.",
  } as const;
  const warning = { code: "LONG", message: "It is long." };
  const now = scene("1", {
    tracks: [loop("b"), loop("a"), { ...unusable, file: "c.wav", fields: {}, line: 5 }],
    warnings: [warning, { ...warning, sound: "a" }],
  });
  const accepted = layoutOf(scene("1", { tracks: [loop("a"), loop("b"), loop("c")] }));
  const sides = compareSides(differing(now, accepted));
  const rowOf = (id: string) => sides.now.rows.find(({ soundId }) => soundId === id)?.cells ?? [];
  expect(rowOf("a")[0]).toEqual({ words: "2", isOther: true });
  expect(rowOf("a").at(-1)).toEqual({ words: "It is long.", isOther: true });
  expect(rowOf("c").at(-1)).toEqual({ words: "No file.", isOther: true });
  expect(sides.now.warnings).toEqual({ words: "It is long.", isOther: true });
  expect(sides.accepted?.warnings).toEqual({ words: "", isOther: true });
});

test("[V7] shows file, format and length of both sides, and hides columns without words", () => {
  const audio: SoundAudioJson = {
    id: "a",
    role: null,
    file: "a.wav",
    bytes: 1,
    sha256: "12345678ab",
    chunks_sha256: "",
    encoding: "pcm",
    bits: 24,
    channels: 1,
    sample_rate_hz: 44_100,
    frames: 44_100,
    peaks: "00",
  };
  const now = { ...audio, sha256: "87654321ab", bits: 16, frames: 22_050 };
  const one = scene("1", { tracks: [loop("a")] });
  const both = { accepted: { ...NO_AUDIO, sounds: [audio] }, now: { ...NO_AUDIO, sounds: [now] } };
  const sides = compareSides({
    ...one,
    golden: {
      status: "differs",
      accepted: layoutOf(one),
      audio: both,
      differences: compareAudio(both.accepted, both.now),
      hints: [],
      problems: [],
    },
  });
  if (sides.accepted === null) throw new Error("There is no accepted side.");
  const wordsOf = ({ rows }: typeof sides.now) =>
    differingColumns([sides.now]).map((column) => rows[0]?.cells?.[column]?.words);
  expect(differingColumns([sides.now]).map((column) => COMPARED_HEADINGS[column])).toEqual([
    "#",
    "Track name",
    "Audio",
    "Bit depth",
    "Length",
  ]);
  expect(wordsOf(sides.accepted)).toEqual(["1", "a (App)", "12345678", "24", "1 s"]);
  expect(wordsOf(sides.now)).toEqual(["1", "a (App)", "87654321", "16", "0.5 s"]);
  const same = compareSides(scene("1"));
  const shown = filledColumns([same.now]).map((column) => COMPARED_HEADINGS[column]);
  expect(shown).not.toContain("Audio");
  expect(shown).toContain("Tempo");
});

test("[V7] an accepted layout is the same on both sides", () => {
  const { accepted, now } = compareSides(scene("1"));
  expect(accepted).toEqual(now);
  expect(now.rows.every(({ isSame }) => isSame)).toBe(true);
});

test("[V7] without an accepted layout, shows only the current one, unmarked", () => {
  const { accepted, now } = compareSides(scene("1", { golden: NEVER_ACCEPTED }));
  expect(accepted).toBeNull();
  expect(now.rows.flatMap(({ cells }) => cells ?? []).some(({ isOther }) => isOther)).toBe(false);
});
