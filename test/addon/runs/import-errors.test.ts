import { expect, test } from "vitest";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import {
  ConnectionLostError,
  ImportCancelledError,
  RunRefusal,
} from "../../../addon/runs/import-errors.ts";

test("[R1] a lost connection says what to do, and the last problem where there was one", () => {
  const sentence = "The connection was lost. Nothing was placed. Import again to continue.";
  const cause = new Error("Nothing answers.");
  const error = new ConnectionLostError(cause);
  expect(error).toMatchObject({ name: "ConnectionLostError", code: "CONNECTION_LOST", cause });
  expect(error.message).toBe(`${sentence} Last problem: Nothing answers.`);
  expect(new ConnectionLostError(undefined).message).toBe(sentence);
});

test("[N3] a cancel has its code and its cause", () => {
  const cause = new Error("stopped");
  expect(new ImportCancelledError({ cause })).toMatchObject({
    name: "ImportCancelledError",
    code: "CANCELLED",
    message: "The import was cancelled.",
    cause,
  });
});

test.each([
  ["SOUNDS_WRONG", 422],
  ["IMPORT_RUNS", 409],
  ["TRACKS_NOT_REUSED", 409],
] as const)("a refusal with the code %s is answered with %i", (code, status) => {
  const refused = new RunRefusal(code, "Choose at least one sound.");
  expect(refused).toMatchObject({ name: "RunRefusal", code, status });
  expect(refused.message).toBe("Choose at least one sound.");
});

const step = (label: string, state: "begun" | "done" | "failed") => ({ label, state });

test.each([
  [
    [step("make the scene", "done"), step("make A", "done"), step("make B", "begun")],
    "Done: make the scene, make A. Maybe done: make B. ",
  ],
  [[step("make the scene", "done"), step("make A", "failed")], "Done: make the scene. "],
  [[step("make the scene", "begun")], "Maybe done: make the scene. "],
  [[], ""],
])("[R4] an interrupted import tells what was done and what may have been: %#", (steps, middle) => {
  const error = new AlreadyPlacedError("Kit", steps);
  expect(error.message).toBe(
    "An earlier import of Kit was interrupted. " +
      `${middle}Delete what you don't want, then import again.`,
  );
  expect(error).toMatchObject({ name: "AlreadyPlacedError", code: "ALREADY_PLACED", steps });
});
