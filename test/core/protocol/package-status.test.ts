import { expect, test } from "vitest";
import {
  DISMISSED,
  dismissedResults,
  isDismissal,
  NOT_SELECTED,
  type SoundResult,
  statusOfResults,
} from "../../../core/protocol/package-status.ts";

const IN = { status: "imported", track: "Kick" } as const;
const OUT = { status: "failed", error: "No." } as const;

test.each([
  ["imported", { 1: IN, 2: IN }],
  ["partial", { 1: IN, 2: OUT }],
  ["partial", { 2: IN }],
  ["failed", { 1: OUT, 2: OUT }],
  ["failed", {}],
  ["failed", { 3: IN }],
])("[S3] a report is %s with %o", (status, results) => {
  expect(statusOfResults(["1", "2"], results)).toBe(status);
});

test("[S3] a sound's id may be a name that every object has", () => {
  expect(statusOfResults(["constructor"], {})).toBe("failed");
});

test("[R12] a dismissal skips every sound, in an object without prototype", () => {
  const results = dismissedResults(["1", "__proto__"]);
  expect(Object.getPrototypeOf(results)).toBeNull();
  expect(Object.entries(results)).toEqual(
    ["1", "__proto__"].map((id) => [id, { status: "skipped", error: "Dismissed in Live." }]),
  );
  expect(isDismissal(results)).toBe(true);
});

test.each<[string, Readonly<Record<string, SoundResult>> | undefined]>([
  ["nothing was reported", undefined],
  ["no sound was", {}],
  ["one was imported", { ...dismissedResults(["1"]), 2: IN }],
  [
    "one was not chosen",
    { ...dismissedResults(["1"]), 2: { status: "skipped", error: NOT_SELECTED } },
  ],
  ["one failed with the same words", { 1: { status: "failed", error: DISMISSED } }],
])("[R12] a report is no dismissal where %s", (_, results) => {
  expect(isDismissal(results)).toBe(false);
});

test("[R10] every host says the same of a sound that was left out", () => {
  expect(NOT_SELECTED).toBe("Not selected in Live.");
});
