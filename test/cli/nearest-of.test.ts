import { expect, test } from "vitest";
import { formatVerdict } from "../../cli/commands/doctor.ts";
import { nearestOf } from "../../cli/nearest-of.ts";

const NAMES = ["up", "relay", "importer", "live", "send", "guess", "layout", "importer packages"];

test("[K1] the nearest name counts letters left out, added, replaced and swapped", () => {
  const meant = (typed: string) => nearestOf(typed, NAMES);
  expect(["sned", "sen", "sendd", "sand", "SEND"].map(meant)).toEqual(Array(5).fill("send"));
  expect(["imprt", "improter", "package", "lyout"].map(meant)).toEqual([
    "importer",
    "importer",
    "importer packages",
    "layout",
  ]);
  expect(["xyzzy", "", "u", "doctor"].map(meant)).toEqual(Array(4).fill(undefined));
});

test("[K1] doctor's verdict doesn't call well what it notes", () => {
  expect(formatVerdict(0, 0)).toBe("No problems found.");
  expect(formatVerdict(0, 1)).toBe("Nothing stops Soundferry, but see the 1 note above.");
  expect(formatVerdict(1, 0)).toBe("1 problem found.");
  expect(formatVerdict(2, 2)).toBe("2 problems and 2 notes found.");
});
