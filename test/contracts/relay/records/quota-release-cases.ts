import assert from "node:assert/strict";
import type { InsertOutcome } from "../../../../relay/domain/ports.ts";
import { one, type OpenedRecords } from "./records-case.ts";
import {
  committed,
  DAY,
  HOUR,
  insert,
  INSERTED,
  packageOf,
  pair,
  put,
  register,
  registerTwo,
  T0,
  updated,
} from "./sample-records.ts";
import { withKeys } from "./sound-key-cases.ts";

/** The promises of `PackageRecords` about the time at which a package stops counting for quotas (rules L2, U6). */
export const QUOTA_RELEASE_CASES = [
  one("[L2] a package that a lease holds counts until the lease ends", async (records) => {
    await register(records, "device-1");
    const waits = committed(packageOf("held", { sizes: [600] }), T0);
    const lease = { runId: "run", endsAt: T0 + DAY + HOUR };
    await put(records, { ...waits, life: { ...waits.life, lease } });
    const announce = (createdAt: number, quotas: object) =>
      insert(records, packageOf("pkg_1", { createdAt, sizes: [401] }), { quotas });
    const before = lease.endsAt - 1;
    assert.deepEqual(await announce(before, { waitingPerDevice: 1 }), { kind: "many-wait" });
    assert.deepEqual(await announce(before, { bytesPerDevice: 1000 }), { kind: "device-full" });
    const quotas = { waitingPerDevice: 1, bytesPerDevice: 1000 };
    assert.deepEqual(await announce(lease.endsAt, quotas), INSERTED);
  }),

  one("[Z6] a package counts until the proven time is past its end", async (records) => {
    await register(records, "device-1");
    await put(records, committed(packageOf("waits", { sizes: [600] }), T0));
    const announce = (confirmedNow: number) =>
      insert(records, packageOf("pkg_1", { createdAt: T0 + 3 * DAY, sizes: [401] }), {
        confirmedNow,
        quotas: { waitingPerDevice: 1, bytesPerDevice: 1000 },
      });
    assert.deepEqual(await announce(T0 + DAY - 1), { kind: "many-wait" });
    assert.deepEqual(await announce(T0 + DAY), INSERTED);
  }),

  one("[L2][U6] each way of removing a package frees its bytes, once", async (records) => {
    const { packages, pairings } = records;
    await registerTwo(records);
    const { pairingId } = await pair(records, "device-1", { tokenHash: "one" });
    await assertFreed(records, "unpaired", () =>
      pairings.unpair({ deviceId: "device-1", pairingId }, T0),
    );
    await pair(records, "device-1", { tokenHash: "two" });
    await assertFreed(records, "revoked", () => pairings.unpair({ tokenHash: "two" }, T0));
    await assertFreed(records, "removed", () => packages.remove("removed", 1));
    await assertFreed(records, "device", () => pairings.removeDevice("device-2"), "device-2");
    await assertFreed(records, "last", () => packages.remove("last", 1));
  }),

  one(
    "[Z5] a package whose files are deleted frees its room once, at any time",
    async (records) => {
      await register(records, "device-1");
      const waits = committed(packageOf("deleted", { sizes: [1000] }), T0);
      const stored = await put(records, waits);
      assert.deepEqual(await fill(records, "early"), { kind: "device-full" });
      const later = { createdAt: T0 + 2 * DAY };
      await updated(records, { ...stored, filesDeleted: true });
      assert.deepEqual(await fill(records, "later", later), INSERTED);
      await records.packages.remove("later", 1);
      // The clock was wrong, and is right again.
      assert.deepEqual(await fill(records, "fills"), INSERTED);
      assert.equal((await fill(records, "more")).kind, "uploads-unfinished");
    },
  ),

  one("[L2][U6] the removal of a package that has ended frees nothing again", async (records) => {
    await register(records, "device-1");
    assert.deepEqual(await fill(records, "ended"), INSERTED);
    const later = { createdAt: T0 + HOUR };
    assert.deepEqual(await fill(records, "fills", later), INSERTED);
    await records.packages.remove("ended", 1);
    await assertFull(records, "device-1", T0 + HOUR);
    await records.packages.remove("fills", 1);
    assert.deepEqual(await fill(records, "next", later), INSERTED);
  }),

  one("[U6] a replaced file takes its room once", async (records) => {
    await register(records, "device-1");
    const record = packageOf("pkg_1", { sizes: [400, 600] });
    await insert(records, record);
    for (const key of ["pkg_1/old", "pkg_1/new"]) {
      await records.soundKeys.addPending(key, T0 + HOUR);
    }
    const stored = await updated(records, withKeys(record, "pkg_1/old"));
    await updated(records, withKeys(stored, "pkg_1/new"));
    const announce = (bytes: number) =>
      insert(records, packageOf("pkg_2", { sizes: [bytes] }), { quotas: { roomBytes: 1000 } });
    assert.equal((await announce(401)).kind, "uploads-unfinished");
    assert.deepEqual(await announce(400), INSERTED);
  }),
];

const QUOTAS = { bytesPerDevice: 1000, roomBytes: 1000 };

/** Announces a package of all the bytes that a device and the sound store have room for. */
function fill(
  records: OpenedRecords,
  id: string,
  more: { readonly deviceId?: string; readonly createdAt?: number } = {},
): Promise<InsertOutcome> {
  return insert(records, packageOf(id, { sizes: [1000], ...more }), { quotas: QUOTAS });
}

/** Asserts that neither the device nor the sound store has room for one more byte. */
async function assertFull(records: OpenedRecords, deviceId: string, createdAt = T0): Promise<void> {
  const announce = (quotas: object) =>
    insert(records, packageOf("too much", { sizes: [1], deviceId, createdAt }), { quotas });
  const { bytesPerDevice, roomBytes } = QUOTAS;
  assert.equal((await announce({ bytesPerDevice })).kind, "uploads-unfinished");
  assert.equal((await announce({ roomBytes })).kind, "uploads-unfinished");
}

/**
 * Asserts that a package of all the bytes fits, that nothing else does, and that the store is empty after its removal.
 */
async function assertFreed(
  records: OpenedRecords,
  packageId: string,
  remove: () => Promise<unknown>,
  deviceId = "device-1",
): Promise<void> {
  const outcome = await fill(records, packageId, { deviceId });
  assert.deepEqual(outcome, INSERTED, `The removal before ${packageId} freed too few bytes.`);
  await assertFull(records, deviceId);
  await remove();
  assert.equal(await records.packages.find(packageId), undefined);
}
