import { expect, test } from "vitest";
import { chooseSounds } from "../../../addon/runs/run-choice.ts";

const SOUNDS = [
  { id: "1", name: "Kick" },
  { id: "2", name: "1" },
  { id: "3", name: "Hat" },
  { id: "4", name: "Hat" },
  { id: "__proto__", name: "Clap" },
];

test.each([
  [["Kick"], ["1"]],
  [
    ["3", "1"],
    ["1", "3"],
  ],
  [["1", "Kick", "1"], ["1"]],
  [["__proto__"], ["__proto__"]],
  [
    ["Clap", "2"],
    ["2", "__proto__"],
  ],
])("[R10] %j chooses %j: an id before a name, each once, in the package's order", (wanted, ids) => {
  expect(chooseSounds(SOUNDS, wanted)).toEqual(ids);
});

test.each([
  [[], "Choose at least one sound."],
  [["Kick", "Snare"], "The package has no sound Snare."],
  [["kick"], "The package has no sound kick."],
  [["Hat"], "Several sounds are called Hat. Use an id: 3, 4."],
])("[R10] refuses %j in words", (wanted, message) => {
  expect(() => chooseSounds(SOUNDS, wanted)).toThrow(
    expect.objectContaining({ code: "SOUNDS_WRONG", status: 422, message }),
  );
});
