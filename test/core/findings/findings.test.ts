import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Finding, FINDING_CODES } from "../../../core/findings/finding.ts";
import { CLICKS } from "./click-examples.ts";
import { type ExamplePackage, type Examples, findIn } from "./example.ts";
import { CLIPPING, OFFSETS, SILENCE } from "./level-examples.ts";
import { LENGTHS, LOUDNESSES, NAMED_TEMPOS } from "./package-examples.ts";

const ALL = [LENGTHS, CLICKS, CLIPPING, OFFSETS, SILENCE, NAMED_TEMPOS, LOUDNESSES];

describe.each(ALL)("$code", ({ code, right, wrong }) => {
  test("[B9] is found in no right example", async () => {
    expect(Object.keys(right).length).toBeGreaterThanOrEqual(10);
    expect(await namesWith(code, right)).toEqual([]);
  });

  test("[B9] is found in every wrong example", async () => {
    expect(Object.keys(wrong).length).toBeGreaterThanOrEqual(10);
    expect(await namesWith(code, wrong)).toEqual(Object.keys(wrong));
  });
});

test("[B9] every finding has examples", () => {
  expect(ALL.map(({ code }) => code).toSorted()).toEqual([...FINDING_CODES].toSorted());
});

test("[B9] the rule's table has every finding, in the order of the codes", async () => {
  const page = await readFile(join(import.meta.dirname, "../../../docs/rules/layout.md"), "utf8");
  const codes = [...page.matchAll(/^\| `([A-Z_]+)` \|/gmu)].map(([, code]) => code);
  expect(codes).toEqual(FINDING_CODES);
});

test("[B9] each value is beyond the threshold that it was compared with", async () => {
  const wrong = ALL.flatMap((examples) => Object.values(examples.wrong));
  const found = (await Promise.all(wrong.map(foundIn))).flat();
  const isBeyond = ({ code, measured, threshold }: Finding): boolean =>
    code === "SILENT" ? measured < threshold : measured >= threshold;
  expect(found.length).toBeGreaterThan(80);
  expect(found.filter((finding) => !isBeyond(finding))).toEqual([]);
});

const known = new Map<ExamplePackage, ReturnType<typeof findIn>>();

/** Each example is heard once. */
function foundIn(example: ExamplePackage): ReturnType<typeof findIn> {
  const found = known.get(example) ?? findIn(example);
  known.set(example, found);
  return found;
}

async function namesWith(
  code: Examples["code"],
  examples: Readonly<Record<string, ExamplePackage>>,
): Promise<readonly string[]> {
  const names: string[] = [];
  for (const [name, example] of Object.entries(examples)) {
    const found = await foundIn(example);
    if (found.some((finding) => finding.code === code)) names.push(name);
  }
  return names;
}
