import assert from "node:assert/strict";
import type { IdempotentAnswer } from "../../../../relay/domain/ports.ts";
import { one } from "./records-case.ts";
import { DAY, HOUR, insert, INSERTED, packageOf, pair, register, T0 } from "./sample-records.ts";

const OWNER = { deviceId: "device-1", appId: "app-1" };

/** The promises of `PackageRecords` about idempotency keys (rule M9). */
export const IDEMPOTENCY_CASES = [
  one("[M9] keeps an answer under its key until it expires", async (records, reopen) => {
    await register(records, "device-1");
    const kept = answer("one");
    await insert(records, packageOf("pkg_1"), { idempotency: kept });
    const { packages } = await reopen();
    const find = (now: number, owner = OWNER) => packages.findIdempotent(owner, "key", now);
    assert.deepEqual(await find(T0 + HOUR - 1), kept);
    assert.equal(await find(T0 + HOUR), undefined);
    assert.equal(await find(T0, { ...OWNER, appId: "app-2" }), undefined);
    assert.equal(await find(T0, { ...OWNER, deviceId: "device-2" }), undefined);
  }),

  one(
    "[M9] replays a used key instead of inserting, before it checks any limit",
    async (records) => {
      await register(records, "device-1");
      await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
      const again = await insert(records, packageOf("pkg_2"), {
        idempotency: answer("two"),
        quotas: { packagesPerHour: 0, roomBytes: 0 },
      });
      assert.deepEqual(again, { kind: "replay", earlier: answer("one") });
      assert.equal(await records.packages.find("pkg_2"), undefined);
    },
  ),

  one(
    "[M9] inserts one of many concurrent packages with one key, and the others get its answer",
    async (records) => {
      await register(records, "device-1");
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          insert(records, packageOf(`pkg_${index}`), { idempotency: answer(`${index}`) }),
        ),
      );
      const winner = outcomes.findIndex(({ kind }) => kind === "inserted");
      const replay = { kind: "replay", earlier: answer(`${winner}`) };
      const expected = outcomes.map((_, index) => (index === winner ? INSERTED : replay));
      assert.deepEqual(outcomes, expected);
    },
  ),

  one("[M9] frees a key when its package is removed or the key expires", async (records) => {
    const { packages } = records;
    await register(records, "device-1");
    await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
    await packages.remove("pkg_1", 1);
    assert.equal(await packages.findIdempotent(OWNER, "key", T0), undefined);
    const announce = async (id: string, createdAt: number) => {
      const idempotency = answer(id, createdAt);
      return (await insert(records, packageOf(id, { createdAt }), { idempotency })).kind;
    };
    assert.equal(await announce("pkg_2", T0), "inserted");
    assert.equal(await announce("pkg_3", T0 + HOUR), "inserted");
    assert.equal(await announce("pkg_4", T0 + HOUR), "replay");
    // The key belongs to another package by now.
    await packages.remove("pkg_2", 1);
    assert.equal(await announce("pkg_5", T0 + HOUR), "replay");
  }),

  one("[M9] frees a key when an unpairing deletes its package", async (records) => {
    const { packages, pairings } = records;
    await register(records, "device-1");
    const { pairingId } = await pair(records, "device-1");
    await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
    await pairings.unpair({ deviceId: "device-1", pairingId }, T0);
    assert.equal(await packages.findIdempotent(OWNER, "key", T0), undefined);
  }),

  one("[M9] keeps the keys of different apps apart", async (records) => {
    await register(records, "device-1");
    await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
    const other = packageOf("pkg_2", { appId: "app-2" });
    assert.deepEqual(await insert(records, other, { idempotency: answer("two") }), INSERTED);
  }),

  one(
    "[M9] does not drop a valid key with expired ones, and stores none for a refused package",
    async (records) => {
      const { packages } = records;
      await register(records, "device-1");
      const find = () => packages.findIdempotent(OWNER, "key", T0);
      const quotas = { roomBytes: 0 };
      await insert(records, packageOf("pkg_0"), { idempotency: answer("refused"), quotas });
      assert.equal(await find(), undefined);
      await insert(records, packageOf("pkg_1"), { idempotency: answer("one") });
      await packages.forgetOld(T0 + HOUR - 1);
      assert.deepEqual(await find(), answer("one"));
      await packages.forgetOld(T0 + DAY);
      assert.equal(await find(), undefined);
    },
  ),
];

/** Makes an answer under the key `key` that expires an hour after `now`. */
export function answer(text: string, now = T0): IdempotentAnswer {
  return { key: "key", bodyHash: `hash of ${text}`, answer: text, endsAt: now + HOUR };
}
