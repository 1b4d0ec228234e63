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
