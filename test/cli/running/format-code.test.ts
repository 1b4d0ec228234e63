import { expect, test } from "vitest";
import {
  formatCode,
  formatCodeAgain,
  formatFixedCode,
  formatNextCode,
} from "../../../cli/running/format-code.ts";

test("prints a code with its lifetime, in whole minutes from two minutes up", () => {
  expect(formatCode({ code: "K7MQ2X", expires_in: 600 })).toContain(
    "│    K7M Q2X    │  pairing code, expires in 10 minutes\n",
  );
  expect(formatNextCode({ code: "K7MQ2X", expires_in: 119 })).toBe(
    "New pairing code: K7M Q2X, expires in 119 seconds.",
  );
});

test("[K2] shows no lifetime for a code that is renewed automatically", () => {
  expect(formatFixedCode("K7MQ2X")).toContain(
    "│    K7M Q2X    │  pairing code, valid again after each use\n",
  );
  expect(formatCodeAgain("K7MQ2X")).toBe("The pairing code K7M Q2X is valid again.");
});
