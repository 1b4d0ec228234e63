import { expect, test } from "vitest";
import { RecordCache } from "../../../../relay/storage/sqlite/record-cache.ts";
import { packageOf } from "../../../contracts/relay/records/sample-records.ts";

test("the record cache has a limited size and evicts the oldest records", () => {
  const kept = new RecordCache();
  const ids = Array.from({ length: 100 }, (_, index) => `pkg_${index}`);
  for (const id of ids) kept.keep(packageOf(id), 100_000);
  const still = ids.filter((id) => kept.get(id) !== undefined);
  expect(still).toEqual(ids.slice(-41));
  kept.keep(packageOf("huge"), 100_000_000);
  expect(kept.get("huge")).toBeUndefined();
  kept.keep(packageOf("small"), 1);
  expect(kept.get("small")).toEqual(packageOf("small"));
});

test("a newer version replaces the older one and counts once", () => {
  const kept = new RecordCache();
  kept.keep(packageOf("other"), 2_000_000);
  for (let version = 1; version <= 10; version += 1) {
    kept.keep(packageOf("pkg_1", { version }), 1_500_000);
  }
  expect(kept.get("pkg_1")?.version).toBe(10);
  expect(kept.get("other")).toBeDefined();
});

test("a record is current until its package is written", () => {
  const kept = new RecordCache();
  kept.keep(packageOf("pkg_1"), 1);
  kept.keep(packageOf("pkg_2"), 1);
  kept.markStale("pkg_1");
  expect(kept.getCurrent("pkg_1")).toBeUndefined();
  expect(kept.get("pkg_1")).toBeDefined();
  expect(kept.getCurrent("pkg_2")).toBeDefined();
  kept.keep(packageOf("pkg_1"), 1);
  expect(kept.getCurrent("pkg_1")).toBeDefined();
  kept.markStale();
  expect(kept.getCurrent("pkg_1")).toBeUndefined();
  expect(kept.getCurrent("pkg_2")).toBeUndefined();
});

test("[J7] a record isn't current while its package, or any, is being written", () => {
  const kept = new RecordCache();
  const record = packageOf("pkg_1");
  kept.keep(record, 10);
  const [end, endOther] = [kept.beginWrite("pkg_1"), kept.beginWrite("pkg_1")];
  kept.keep(record, 10);
  expect(kept.getCurrent("pkg_1")).toBeUndefined();
  end();
  kept.keep(record, 10);
  expect(kept.getCurrent("pkg_1")).toBeUndefined();
  endOther();
  expect(kept.getCurrent("pkg_1")).toBeUndefined();
  kept.keep(record, 10);
  expect(kept.getCurrent("pkg_1")).toBe(record);
  const endAny = kept.beginWrite();
  expect(kept.getCurrent("pkg_1")).toBeUndefined();
  expect(kept.get("pkg_1")).toBe(record);
  endAny();
  expect(kept.getCurrent("pkg_1")).toBeUndefined();
});
