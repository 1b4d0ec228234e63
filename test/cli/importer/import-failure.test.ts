import { expect, test } from "vitest";
import { ControlError } from "../../../addon/control/control-call.ts";
import { AlreadyPlacedError } from "../../../addon/runs/import-errors.ts";
import { RelayError } from "../../../addon/relay/relay-errors.ts";
import { importFailure } from "../../../cli/importer/import-failure.ts";

test("[R4][K2] a package that is at the host already: the flag that places it anew, here or there", () => {
  const here = new AlreadyPlacedError("Kit", []);
  const there = new ControlError(500, here.message, { code: here.code });
  for (const error of [here, there]) {
    expect(importFailure(error)).toMatch(
      /^An earlier import of Kit .* To import it anyway, add --again\.$/,
    );
  }
});

test("[K2] a package that another run holds: the flag that takes it over", () => {
  const held = new RelayError(409, "Another import is running. Try again in 55 s.", {
    code: "RUN_ELSEWHERE",
  });
  expect(importFailure(held)).toBe(`${held.message} To take it over, add --take-over.`);
});

test("any other failure as it is", () => {
  expect(importFailure(new Error("The disk is full."))).toBe("The disk is full.");
});
