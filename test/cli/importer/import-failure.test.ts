import { expect, test } from "vitest";
import { ControlError } from "../../../addon/control/control-call.ts";
import { AlreadyPlacedError } from "../../../addon/hosts/already-placed.ts";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import { importFailure } from "../../../cli/commands/importer/format-outcome.ts";

test("[R4][K2] names the flag that imports a package again", () => {
  const here = new AlreadyPlacedError("Kit", []);
  const there = new ControlError(500, here.message, { code: here.code });
  for (const error of [here, there]) {
    expect(importFailure(error)).toMatch(
      /^An earlier import of Kit .* To import it anyway, add --again\.$/,
    );
  }
});

test("[K2] names the flag that takes over a package from another run", () => {
  const held = new RelayError(409, "Another import is running. Try again in 55 s.", {
    code: "RUN_ELSEWHERE",
  });
  expect(importFailure(held)).toBe(`${held.message} To take it over, add --take-over.`);
});

test("leaves other failures unchanged", () => {
  expect(importFailure(new Error("The disk is full."))).toBe("The disk is full.");
});
