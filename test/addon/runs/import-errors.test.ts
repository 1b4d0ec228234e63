import { expect, test } from "vitest";
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
