import { expect, test } from "vitest";
import type { EditRequest } from "../../../core/protocol/preview-api.ts";
import {
  fieldForm,
  formatField,
  readField,
  sharedValue,
} from "../../../pages/preview/edit/field-values.ts";
import { ManifestEditor, planSoundEdit } from "../../../pages/preview/edit/manifest-editor.ts";
import { PACKAGE_FIELDS, SOUND_FIELDS } from "../../../core/manifest/editable-fields.ts";
import { loop, scene } from "./preview-scenes.ts";
import {
  planPlayback,
  sceneBeats,
  type PlayableTrack,
  type PlannedPart,
} from "../../../pages/kit/playback/plan-playback.ts";
import { warpMethodOf } from "../../../pages/kit/playback/warp/warp-method.ts";
import { audibleSounds, soundKey } from "../../../pages/kit/playback/scene-view.ts";

test("[V16] reads what is typed as the field's value, and nothing as none", () => {
  const read = (name: string, typed: string) => readField(fieldForm(name, true), typed);
  expect(read("bpm", "126")).toBe(126);
  expect(read("bpm", " 126,5 ")).toBe(126.5);
  // The server says what is wrong with it.
  expect(read("bpm", "fast")).toBe("fast");
  expect(read("bpm", "Infinity")).toBe("Infinity");
  expect(read("bpm", "")).toBeNull();
  expect(read("name", " 808 ")).toBe("808");
  const time = fieldForm("tempo.time_signature", false);
  expect(readField(time, "3/4")).toEqual([3, 4]);
  expect(readField(time, "waltz")).toBe("waltz");
  expect(formatField(time, [6, 8])).toBe("6/8");
});

test("[V16] shows a value as the file has it, also a wrong one", () => {
  const form = fieldForm("bpm", true);
  expect(formatField(form, undefined)).toBe("");
  expect(formatField(form, 126.5)).toBe("126.5");
  expect(formatField(form, "fast")).toBe("fast");
  expect(formatField(form, { a: 1 })).toBe('{"a":1}');
  expect(formatField(form, null)).toBe("null");
});

test("[V16] each field that can be edited has a form", () => {
  for (const [names, isOfSound] of [
    [PACKAGE_FIELDS, false],
    [SOUND_FIELDS, true],
  ] as const) {
    for (const name of names) {
      const form = fieldForm(name, isOfSound);
      expect(form.label, name).not.toBe(name);
      expect(form.meaning, name).not.toBe("");
      expect(form.choices.length > 0, name).toBe(form.kind === "choice");
    }
  }
});

test("[V16] says when several sounds differ in a field", () => {
  const form = fieldForm("bpm", true);
  expect(sharedValue([{ bpm: 120 }, { bpm: 120 }], form)).toEqual({ text: "120", isMixed: false });
  expect(sharedValue([{ bpm: 120 }, {}], form)).toEqual({ text: "", isMixed: true });
});

test("[V16] edits several sounds at once, scene by scene; a one-shot loses a loop's fields", () => {
  const [one, other] = [scene("1"), scene("2")];
  const looped = loop("b", { fields: { kind: "loop", bpm: 120, length_beats: 4, gain_db: -3 } });
  const sounds = [
    { scene: one, track: loop("a") },
    { scene: other, track: looped },
  ];
  expect(planSoundEdit(sounds, "color", "#FF0000")).toEqual([
    { key: "1", revision: "1", changes: [{ soundId: "a", field: "color", value: "#FF0000" }] },
    { key: "2", revision: "1", changes: [{ soundId: "b", field: "color", value: "#FF0000" }] },
  ]);
  const [, second] = planSoundEdit(sounds, "kind", "oneshot");
  expect(second?.changes.map(({ field, value }) => [field, value])).toEqual([
    ["kind", "oneshot"],
    ["bpm", null],
    ["length_beats", null],
  ]);
});

test("[V16] an edit follows the page's own one before it, and no other program's", async () => {
  const sent: (readonly [key: string, revision: string])[] = [];
  const edit = async (key: string, { revision }: EditRequest): Promise<string> => {
    sent.push([key, revision]);
    if (revision === "refused") throw new Error("It has changed.");
    return `${revision}+`;
  };
  const editor = new ManifestEditor({ edit });
  const change = (key: string, revision: string) => editor.edit([{ key, revision, changes: [] }]);
  await Promise.all([change("1", "r"), change("1", "r"), change("2", "r"), change("1", "r+")]);
  await expect(change("1", "refused")).rejects.toThrow("It has changed.");
  await change("1", "other");
  expect(sent).toEqual([
    ["1", "r"],
    ["1", "r+"],
    ["2", "r"],
    ["1", "r++"],
    ["1", "refused"],
    ["1", "other"],
  ]);
});

test("[V16] an edit that brings back an earlier revision is followed, whatever the page has seen", async () => {
  let file = "one";
  const edit = async (_key: string, { revision, changes }: EditRequest): Promise<string> => {
    if (revision !== file) throw new Error("It has changed.");
    file = String(changes[0]?.value);
    return file;
  };
  const editor = new ManifestEditor({ edit });
  const write = (revision: string, value: string) =>
    editor.edit([{ key: "1", revision, changes: [{ soundId: null, field: "title", value }] }]);
  for (const seen of ["one", "two", "three"]) {
    await write("one", "two");
    await write("two", "three");
    await write("three", "one");
    await write(seen, "one");
    expect(file).toBe("one");
  }
});

/** Four beats at 120 BPM. */
const LOOP: PlayableTrack = {
  id: "groove",
  revision: "1",
  bytes: 176_444,
  frames: 88_200,
  sampleRateHz: 44_100,
  looping: true,
  warp_mode: "beats",
  loop_beats: 4,
  tempo_bpm: 120,
  gain_db: 0,
};

function planOne(track: Partial<PlayableTrack>, tempoBpm = 120): Partial<PlannedPart> | undefined {
  return planPlayback([{ ...LOOP, ...track }], tempoBpm)[0];
}

test("[V8] a loop at the scene's tempo plays as it is, pass after pass", () => {
  expect(planOne({})).toEqual({
    soundId: "groove",
    timing: "beats",
    rate: 1,
    isStretched: false,
    isStreamed: false,
    isTooLongToWarp: false,
    method: null,
    heardSeconds: 2,
    passSeconds: 2,
    gain: 1,
    problem: null,
  });
});

test.each([
  [90, 0.75, 4 * (60 / 90)],
  [180, 1.5, 4 / 3],
  [60, 0.5, 4],
])("[V8] at %d BPM a loop of 120 BPM is stretched", (tempoBpm, rate, passSeconds) => {
  expect(planOne({}, tempoBpm)).toMatchObject({
    isStretched: true,
    isStreamed: false,
    isTooLongToWarp: false,
    rate,
    passSeconds,
    heardSeconds: 2,
  });
});

test("[V8] treats tempi that differ only by rounding as equal", () => {
  const thirds = { tempo_bpm: 133.333333 };
  expect(planOne(thirds, 400 / 3)).toMatchObject({ isStretched: false, rate: 1 });
  expect(planOne(thirds, 133.334)).toMatchObject({ isStretched: true });
});

test("[V8] plays nothing of a file past its loop, and silence in a loop past its file", () => {
  expect(planOne({ frames: 100_000 })).toMatchObject({ heardSeconds: 2, passSeconds: 2 });
  expect(planOne({ frames: 66_150 })).toMatchObject({ heardSeconds: 1.5, passSeconds: 2 });
  expect(planOne({ frames: 66_150 }, 60)).toMatchObject({ heardSeconds: 1.5, passSeconds: 4 });
});

test("[V8] a length without a tempo fills the file; with neither, the file plays at its own speed", () => {
  const noTempo = { tempo_bpm: null };
  expect(planOne({ ...noTempo, loop_beats: 2 }, 90)).toMatchObject({
    timing: "beats",
    rate: 1.5,
    passSeconds: 2 * (60 / 90),
  });
  expect(planOne({ ...noTempo, loop_beats: null }, 90)).toMatchObject({
    timing: "guessed",
    rate: 1,
    isStretched: false,
    isStreamed: false,
    isTooLongToWarp: false,
    passSeconds: 2,
  });
});

test("[V19] only the long sounds of a long scene are decoded while they play, and aren't stretched then", () => {
  const stem = { ...LOOP, frames: 30 * 48_000, sampleRateHz: 48_000, loop_beats: 60 };
  const stems = (count: number, looping = true): PlayableTrack[] =>
    Array.from({ length: count }, () => ({ ...stem, looping }));
  const streamed = (count: number, tempoBpm: number) =>
    planPlayback([...stems(count), LOOP], tempoBpm)
      .slice(-2)
      .map(({ isStreamed, isTooLongToWarp, method, rate }) => {
        return { isStreamed, isTooLongToWarp, method, rate };
      });
  const plain = { isStreamed: false, isTooLongToWarp: false, method: null, rate: 1 };
  expect(streamed(13, 120)).toEqual([plain, plain]);
  expect(streamed(14, 120)).toEqual([{ ...plain, isStreamed: true }, plain]);
  expect(streamed(14, 60)).toEqual([
    { isStreamed: true, isTooLongToWarp: true, method: null, rate: 0.5 },
    { isStreamed: false, isTooLongToWarp: false, method: warpMethodOf(LOOP.warp_mode), rate: 0.5 },
  ]);
  const asRecorded = planPlayback(stems(15, false), 60);
  expect(asRecorded[0]).toMatchObject({ isStreamed: true, isTooLongToWarp: false, rate: 1 });
});

test("[V19] a scene is as long as its longest sound at its tempo", () => {
  expect(sceneBeats([LOOP, { ...LOOP, loop_beats: 6 }], 90)).toBe(6);
  const kick = { ...LOOP, looping: false, loop_beats: null, tempo_bpm: null };
  expect(sceneBeats([kick], 90)).toBe(3);
  expect(sceneBeats([], 90)).toBe(0);
});

test("[V8] a one-shot plays once, as it is, whatever the tempo", () => {
  const kick = { looping: false, loop_beats: null, tempo_bpm: null };
  for (const tempoBpm of [20, 120, 999]) {
    expect(planOne(kick, tempoBpm)).toMatchObject({
      timing: "once",
      rate: 1,
      isStretched: false,
      isStreamed: false,
      isTooLongToWarp: false,
      passSeconds: null,
      heardSeconds: 2,
    });
  }
});

test("[V8] gains are factors, and -70 dB is still one", () => {
  const gainOf = (db: number) => planOne({ gain_db: db })?.gain;
  expect(gainOf(-6)).toBeCloseTo(0.5012, 4);
  expect(gainOf(24)).toBeCloseTo(15.849, 3);
  expect(gainOf(-70)).toBeCloseTo(0.000316, 6);
});

test("[V8] says when a sound is too large, or too short at the tempo", () => {
  expect(planOne({ bytes: 64_000_001 })?.problem).toBe("This sound is too large to play here.");
  const tiny = { loop_beats: 0.02, frames: 441 };
  expect(planOne(tiny, 60)?.problem).toBeNull();
  expect(planOne(tiny, 240)?.problem).toBe("This loop is too short to play at this tempo.");
});

test("[V9] plays only sounds on solo in their scene, and never muted ones", () => {
  const ids = ["a", "b", "c"];
  const heard = (muted: readonly string[], soloed: readonly string[]) => [
    ...audibleSounds(
      {
        muted: new Set(muted.map((id) => soundKey("kit", id))),
        soloed: new Set(soloed.map((id) => soundKey("kit", id))),
      },
      "kit",
      ids,
    ),
  ];
  expect(heard([], [])).toEqual(ids);
  expect(heard(["b"], [])).toEqual(["a", "c"]);
  expect(heard([], ["b", "c"])).toEqual(["b", "c"]);
  expect(heard(["b"], ["b"])).toEqual([]);
  expect(heard([], ["no longer there"])).toEqual(ids);
  const elsewhere = { muted: new Set<string>(), soloed: new Set([soundKey("other", "a")]) };
  expect([...audibleSounds(elsewhere, "kit", ids)]).toEqual(ids);
});
