import { describe, expect, test } from "vitest";
import type { IdempotentAnswer } from "../../relay/domain/ports.ts";
import {
  DAY,
  HOUR,
  type OpenRecords,
  T0,
  insert,
  packageOf,
  register,
} from "./records-under-test.ts";

const OWNER = { deviceId: "device-1", appId: "app-1" };

/** The contract suite of `PackageRecords` for idempotency keys (rule M9). */
export function idempotencyContract(adapter: string, open: OpenRecords): void {
  const openWithDevice: OpenRecords = async () => {
    const records = await open();
    await register(records, "device-1");
    return records;
  };
  describe(`${adapter}: idempotency keys`, () => {
    test("[M9] keeps an answer under its key until it expires", async () => {
      await using records = await openWithDevice();
      const kept = answer("one");
      await insert(records, packageOf("pkg_1"), { idempotency: kept });
      await records.reopen();
      const find = (now: number, owner = OWNER) =>
        records.packages.findIdempotent(owner, "key", now);
      expect(await find(T0 + HOUR - 1)).toEqual(kept);
      expect(await find(T0 + HOUR)).toBeUndefined();
      expect(await find(T0, { ...OWNER, appId: "app-2" })).toBeUndefined();
      expect(await find(T0, { ...OWNER, deviceId: "device-2" })).toBeUndefined();
    });

    test("[M9] replays a used key instead of inserting, before it checks any limit", async () => {
      await using records = await openWithDevice();
      await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
      const again = await insert(records, packageOf("pkg_2"), {
        idempotency: answer("two"),
        quotas: { packagesPerHour: 0, roomBytes: 0 },
      });
      expect(again).toEqual({ kind: "replay", earlier: answer("one") });
      expect(await records.packages.find("pkg_2")).toBeUndefined();
    });

    test("[M9] inserts one of many concurrent packages with one key, and the others get its answer", async () => {
      await using records = await openWithDevice();
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          insert(records, packageOf(`pkg_${index}`), { idempotency: answer(`${index}`) }),
        ),
      );
      const winner = outcomes.findIndex(({ kind }) => kind === "inserted");
      for (const [index, outcome] of outcomes.entries()) {
        if (index === winner) continue;
        expect(outcome).toEqual({ kind: "replay", earlier: answer(`${winner}`) });
      }
    });

    test("[M9] frees a key when its package is removed or the key expires", async () => {
      await using records = await openWithDevice();
      await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
      await records.packages.remove("pkg_1", 1);
      expect(await records.packages.findIdempotent(OWNER, "key", T0)).toBeUndefined();
      const announce = (id: string, createdAt: number) =>
        insert(records, packageOf(id, { createdAt }), { idempotency: answer(id, createdAt) });
      expect(await announce("pkg_2", T0)).toEqual({ kind: "inserted" });
      expect(await announce("pkg_3", T0 + HOUR)).toEqual({ kind: "inserted" });
      expect(await announce("pkg_4", T0 + HOUR)).toMatchObject({ kind: "replay" });
      // The key belongs to another package by now.
      await records.packages.remove("pkg_2", 1);
      expect(await announce("pkg_5", T0 + HOUR)).toMatchObject({ kind: "replay" });
    });

    test("[M9] keeps the keys of different apps apart", async () => {
      await using records = await openWithDevice();
      await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
      const other = packageOf("pkg_2", { appId: "app-2" });
      expect(await insert(records, other, { idempotency: answer("two") })).toEqual({
        kind: "inserted",
      });
    });

    test("[M9] does not drop a valid key with expired ones, and stores none for a refused package", async () => {
      await using records = await openWithDevice();
      await insert(records, packageOf("pkg_0"), {
        idempotency: answer("refused"),
        quotas: { roomBytes: 0 },
      });
      expect(await records.packages.findIdempotent(OWNER, "key", T0)).toBeUndefined();
      await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
      await records.packages.forgetOld(T0 + HOUR - 1);
      expect(await records.packages.findIdempotent(OWNER, "key", T0)).toBeDefined();
      await records.packages.forgetOld(T0 + DAY);
      expect(await records.packages.findIdempotent(OWNER, "key", T0)).toBeUndefined();
    });
  });
}

function answer(text: string, now = T0): IdempotentAnswer {
  return { key: "key", bodyHash: `hash of ${text}`, answer: text, endsAt: now + HOUR };
}
