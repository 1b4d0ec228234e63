import { expect, test } from "vitest";
import {
  formatCode,
  formatCodeAgain,
  formatCodeOver,
  formatFixedCode,
} from "../../../cli/commands/importer/pairing-code.ts";

test("prints a code with its lifetime, in whole minutes from two minutes up", () => {
  expect(formatCode({ code: "K7MQ2X", expires_in: 600 })).toContain(
    "│    K7M Q2X    │  pairing code, expires in 10 minutes\n",
  );
  expect(formatCode({ code: "K7MQ2X", expires_in: 119 })).toContain("expires in 119 seconds\n");
});

test("[P2] a code that is over isn't renewed: says how to get another one", () => {
  const way = "in the panel, or with npm run --silent soundferry -- importer code.";
  expect(formatCodeOver({ isUsed: true })).toBe(`Pair another app ${way}`);
  expect(formatCodeOver({ isUsed: false })).toBe(
    `The pairing code has expired. Get another one ${way}`,
  );
});

test("[K2] shows no lifetime for a code that is renewed automatically", () => {
  expect(formatFixedCode("K7MQ2X")).toContain(
    "│    K7M Q2X    │  pairing code, valid again after each use\n",
  );
  expect(formatCodeAgain("K7MQ2X")).toBe("The pairing code K7M Q2X is valid again.");
});
