import { expect, test } from "vitest";
import { changedCounts } from "./compare-counts.ts";
import type { Count, ProcessCount } from "./measure-counts.ts";
import type { Kind } from "./kinds.ts";

const ALL = new Set<Kind>(["flushes", "bytes read", "file reads"]);

function uploadOf(counts: Readonly<Partial<Record<Kind, number>>>): readonly ProcessCount[] {
  const measured = Object.fromEntries(
    Object.entries(counts).map(([kind, least]): [string, Count] => [kind, { least, most: least }]),
  );
  return [
    {
      subject: "upload",
      unit: "upload",
      process: "relay",
      counts: measured,
      instructions: null,
    },
  ];
}

test("a guarded count may grow by 10 %, and no further", () => {
  const saved = uploadOf({ "bytes read": 1000 });
  expect(changedCounts(saved, uploadOf({ "bytes read": 1100 }), ALL)).toEqual([]);
  expect(changedCounts(saved, uploadOf({ "bytes read": 1101 }), ALL)).toEqual([
    "upload, relay: bytes read grew, from 1,000 to 1,101 for one upload.",
  ]);
});

test("a guarded count that wasn't there before has grown", () => {
  expect(changedCounts(uploadOf({}), uploadOf({ flushes: 1 }), ALL)).toEqual([
    "upload, relay: flushes grew, from 0 to 1 for one upload.",
  ]);
});

test("a count that isn't guarded, or of another kind, may grow", () => {
  const [saved, now] = [uploadOf({ "file reads": 1 }), uploadOf({ "file reads": 9, flushes: 1 })];
  expect(changedCounts(saved, now, new Set<Kind>(["file reads"]))).toEqual([]);
});

test("a guarded count that is gone may be one that isn't counted any more", () => {
  expect(changedCounts(uploadOf({ flushes: 4 }), uploadOf({}), ALL)).toEqual([
    "upload, relay: flushes are gone, from 4 to 0 for one upload.",
  ]);
});
