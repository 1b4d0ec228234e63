import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FAULT_GROUPS } from "./faults/all-faults.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../docs/use/conformance.md"), "utf8");

test("[Q9] the page has every group of planted faults, how many the kit names, and why one survives", () => {
  const groups = Object.entries(FAULT_GROUPS);
  const rows = groups.map(([group, faults]) => {
    const named = faults.filter(({ survives }) => survives === undefined).length;
    return `| ${group} | ${faults.length} | ${named} |`;
  });
  const all = groups.flatMap(([, faults]) => faults);
  const survivors = all.flatMap(({ rule, what, survives }) =>
    survives === undefined ? [] : [`- ${rule}, ${what}: ${survives}`],
  );
  expect(all.length).toBeGreaterThanOrEqual(120);
  expect(PAGE).toContain([...rows, ""].join("\n"));
  expect(PAGE).toContain(`names ${all.length - survivors.length} of ${all.length} planted faults`);
  expect(survivors.filter((line) => !PAGE.includes(line))).toEqual([]);
});

test("[Q9] each planted fault has a sentence of its own", () => {
  for (const faults of Object.values(FAULT_GROUPS)) {
    expect(new Set(faults.map(({ what }) => what)).size).toBe(faults.length);
  }
});
