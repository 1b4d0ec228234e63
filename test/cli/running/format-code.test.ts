import { expect, test } from "vitest";
import {
  printCode,
  printCodeAgain,
  printFixedCode,
  printNextCode,
} from "../../../cli/running/format-code.ts";

test("a code is printed with its lifetime, in whole minutes from two minutes up", () => {
  expect(printCode({ code: "K7MQ2X", expires_in: 600 })).toContain(
    "│    K7M Q2X    │  pairing code, good for 10 minutes\n",
  );
  expect(printNextCode({ code: "K7MQ2X", expires_in: 119 })).toBe(
    "The pairing code is now K7M Q2X, good for 119 seconds.",
  );
});

test("[K2] of a code that is renewed by itself no lifetime is told", () => {
  expect(printFixedCode("K7MQ2X")).toContain(
    "│    K7M Q2X    │  pairing code, good again after each use\n",
  );
  expect(printCodeAgain("K7MQ2X")).toBe("The pairing code K7M Q2X works again.");
});
