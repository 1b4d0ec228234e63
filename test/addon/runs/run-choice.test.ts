import { expect, test } from "vitest";
import type { SoundResult } from "../../../core/protocol/package-status.ts";
import {
  chooseForRun,
  type RunChoiceRequest,
  chooseSounds,
} from "../../../addon/runs/run-choice.ts";

const IMPORTED: SoundResult = { status: "imported" };
const FAILED: SoundResult = { status: "failed", error: "No." };

function choose(request: Partial<RunChoiceRequest>) {
  return chooseForRun({
    all: ["1", "2", "3"],
    asked: undefined,
    again: false,
    unfinished: undefined,
    isCompleted: false,
    earlier: new Map(),
    ...request,
  });
}

const interrupted = (soundIds?: readonly string[]) => ({ runId: "a", steps: [], soundIds });

test("[R10] without a choice all sounds are taken, with one only those", () => {
  expect(choose({})).toEqual({ soundIds: undefined, later: [] });
  expect(choose({ asked: ["2"] })).toEqual({ soundIds: ["2"], later: [] });
});

test("[R10] without a choice, what an earlier import left out is taken, and nothing is doubled", () => {
  const earlier = new Map([["1", IMPORTED]]);
  expect(choose({ earlier }).soundIds).toEqual(["2", "3"]);
  expect(choose({ earlier, again: true }).soundIds).toBeUndefined();
  expect(choose({ earlier, asked: ["1", "2"] }).soundIds).toEqual(["1", "2"]);
  const half = new Map([...earlier, ["2", FAILED] as const]);
  expect(choose({ earlier: half }).soundIds).toEqual(["2", "3"]);
  const whole = new Map([...half, ["3", IMPORTED] as const]);
  expect(choose({ earlier: whole }).soundIds).toBeUndefined();
  expect(choose({ earlier: new Map([["1", FAILED]]) }).soundIds).toBeUndefined();
});

test("[R13] an interrupted run is completed with its own sounds, and what else was asked for follows", () => {
  const isCompleted = true;
  const some = interrupted(["1", "2"]);
  expect(choose({ unfinished: some, isCompleted })).toEqual({ soundIds: ["1", "2"], later: [] });
  expect(choose({ unfinished: some, isCompleted, asked: ["2", "3"] })).toEqual({
    soundIds: ["1", "2"],
    later: ["3"],
  });
  expect(choose({ unfinished: interrupted(), isCompleted, asked: ["3"] })).toEqual({
    soundIds: undefined,
    later: [],
  });
  const again = { unfinished: some, isCompleted, again: true };
  expect(choose({ ...again, asked: ["3"] })).toEqual({ soundIds: ["3"], later: [] });
  expect(choose(again)).toEqual({ soundIds: ["1", "2"], later: [] });
});

test("[R13] one of which the host holds nothing keeps its choice, unless there is a new one", () => {
  const unfinished = interrupted(["1", "2"]);
  expect(choose({ unfinished }).soundIds).toEqual(["1", "2"]);
  expect(choose({ unfinished, asked: ["3"] })).toEqual({ soundIds: ["3"], later: [] });
  expect(choose({ unfinished: interrupted(["gone"]) }).soundIds).toBeUndefined();
});

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
