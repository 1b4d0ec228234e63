import assert from "node:assert/strict";
import type { InsertOutcome } from "../../../../relay/domain/ports.ts";
import { one, type OpenedRecords } from "./records-case.ts";
import {
  addFile,
  DAY,
  HOUR,
  insert,
  INSERTED,
  MINUTE,
  packageOf,
  register,
  send,
  T0,
} from "./sample-records.ts";

/** A millisecond, in hours. */
const MS = 1 / HOUR;

/** The promises of `PackageRecords` about the hourly limit and the bytes of an address (rules L1, L4). */
export const WINDOW_CASES = [
  one(
    "[L1] the window slides: the next package is allowed an hour after the third last",
    async (records) => {
      await register(records, "device-1");
      for (const minute of [0, 20, 40]) {
        assert.deepEqual(await announceAt(records, minute, `pkg_${minute}`), INSERTED);
      }
      assert.deepEqual(await announceAt(records, 59, "early"), hourFull(T0 + HOUR));
      assert.equal(await records.packages.find("early"), undefined);
      assert.deepEqual(await announceAt(records, 60, "pkg_60"), INSERTED);
      assert.deepEqual(await announceAt(records, 61, "early"), hourFull(T0 + 80 * MINUTE));
    },
  ),

  one(
    "[L1] the limit belongs to one app on one device, and a withdrawal does not refund it",
    async (records) => {
      await register(records, "device-1");
      await register(records, "device-2");
      for (const minute of [1, 2, 3]) {
        await announceAt(records, minute, `pkg_${minute}`);
        await records.packages.remove(`pkg_${minute}`, 1);
      }
      assert.equal((await announceAt(records, 4, "pkg_4")).kind, "hourly-limit");
      assert.deepEqual(await announceAt(records, 4, "pkg_5", { appId: "app-2" }), INSERTED);
      assert.deepEqual(await announceAt(records, 4, "pkg_6", { deviceId: "device-2" }), INSERTED);
    },
  ),

  one("[L1] concurrent packages get no more than the limit", async (records) => {
    await register(records, "device-1");
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => announceAt(records, 0, `pkg_${index}`)),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === "inserted").length, 3);
  }),

  one("[L1] nothing that still counts is dropped, and refusals never count", async (records) => {
    await register(records, "device-1");
    for (const minute of [0, 1, 2]) await announceAt(records, minute, `pkg_${minute}`);
    for (let again = 0; again < 5; again += 1) await announceAt(records, 3, "refused");
    await records.packages.forgetOld(T0 + 10 * MINUTE);
    assert.equal((await announceAt(records, 10, "pkg_3")).kind, "hourly-limit");
    assert.deepEqual(await announceAt(records, 60, "pkg_4"), INSERTED);
  }),

  one("[L1] after a clock was set back, the third last by time decides", async (records) => {
    await register(records, "device-1");
    for (const minute of [30, 40, 10]) await announceAt(records, minute, `pkg_${minute}`);
    assert.deepEqual(await announceAt(records, 45, "early"), hourFull(T0 + 70 * MINUTE));
    assert.deepEqual(await announceAt(records, 70, "pkg_70"), INSERTED);
  }),

  one("[L1] announcements an hour or more ahead don't count, nearer ones do", async (records) => {
    await register(records, "device-1");
    for (const minute of [0, 1, 2, 70]) await announceAt(records, minute, `pkg_${minute}`);
    assert.deepEqual(await announceAt(records, 10, "early"), hourFull(T0 + HOUR));
    assert.deepEqual(await announceAt(records, 11, "early"), hourFull(T0 + 61 * MINUTE));
  }),

  one("[L4] an address may send a maximum of bytes in any 24 hours", async (records) => {
    await register(records, "device-1");
    assert.deepEqual(await sendBytes(records, "a", 0, 300), INSERTED);
    assert.deepEqual(await sendBytes(records, "b", 1, 300), INSERTED);
    assert.deepEqual(await sendBytes(records, "c", 2, 400), INSERTED);
    assert.deepEqual(await sendBytes(records, "d", 3, 1), dayFull(T0 + DAY));
    assert.deepEqual(await sendBytes(records, "d", 3, 300), dayFull(T0 + DAY));
    assert.deepEqual(await sendBytes(records, "d", 3, 301), dayFull(T0 + HOUR + DAY));
    assert.deepEqual(await sendBytes(records, "e", 3, 1000, "192.0.2.2"), INSERTED);
    assert.deepEqual(await sendBytes(records, "f", 24, 300), INSERTED);
  }),

  one("[L4] after a clock was set back, the oldest bytes by time leave first", async (records) => {
    await register(records, "device-1");
    assert.deepEqual(await sendBytes(records, "a", 3, 400), INSERTED);
    assert.deepEqual(await sendBytes(records, "b", 1, 600), INSERTED);
    assert.deepEqual(await sendBytes(records, "c", 4, 100), dayFull(T0 + HOUR + DAY));
  }),

  one("[L4] neither a withdrawal nor a new registration refunds bytes", async (records) => {
    await register(records, "device-1");
    await register(records, "device-2");
    await sendBytes(records, "a", 0, 1000);
    await records.packages.remove("a", 2);
    await records.pairings.removeDevice("device-2");
    await register(records, "device-2");
    await records.packages.forgetOld(T0 + 23 * HOUR);
    const late = packageOf("b", { deviceId: "device-2", createdAt: T0 + 23 * HOUR });
    const outcome = await insert(records, late, { quotas: { bytesPerAddressPerDay: 1000 } });
    assert.equal(outcome.kind, "address-limit");
  }),

  one(
    "[L4] bytes count until exactly a day has passed, and forgetOld drops none earlier",
    async (records) => {
      await register(records, "device-1");
      assert.deepEqual(await sendBytes(records, "a", 0, 1000), INSERTED);
      await records.packages.forgetOld(T0 + DAY - 1);
      assert.deepEqual(await sendBytes(records, "b", 24 - MS, 1), dayFull(T0 + DAY));
      await records.packages.forgetOld(T0 + DAY);
      assert.deepEqual(await sendBytes(records, "b", 24, 1000), INSERTED);
    },
  ),

  one("[L4] bytes that came a day or more ahead don't count, nearer ones do", async (records) => {
    await register(records, "device-1");
    assert.deepEqual(await sendBytes(records, "far", 24, 1000), INSERTED);
    assert.deepEqual(await sendBytes(records, "now", 0, 600), INSERTED);
    assert.equal((await sendBytes(records, "full", 0, 401)).kind, "address-limit");
    const other = "192.0.2.2";
    assert.deepEqual(await sendBytes(records, "near", 24 - MS, 1000, other), INSERTED);
    assert.equal((await sendBytes(records, "b", 0, 1, other)).kind, "address-limit");
  }),

  one("[L4] what is announced counts for its address while it holds room", async (records) => {
    await register(records, "device-1");
    const announce = (id: string, bytes: number, createdAt: number) =>
      insert(records, packageOf(id, { createdAt, sizes: [bytes] }), {
        quotas: { bytesPerAddressPerDay: 1000 },
      });
    assert.deepEqual(await sendBytes(records, "sent", 0, 300), INSERTED);
    assert.deepEqual(await announce("a", 600, T0), INSERTED);
    const unfinished = { kind: "uploads-unfinished", freeAt: T0 + HOUR };
    assert.deepEqual(await announce("b", 101, T0 + HOUR - 1), unfinished);
    assert.deepEqual(await announce("c", 700, T0 + HOUR), INSERTED);
    assert.deepEqual(await announce("d", 701, T0 + HOUR), dayFull(T0 + DAY));
  }),

  one("[L4] a file that is replaced counts each time it is sent", async (records) => {
    await register(records, "device-1");
    const record = packageOf("replaced", { sizes: [300, 1] });
    await insert(records, record);
    for (const hour of [0, 1, 2]) {
      const key = `replaced/${hour}`;
      await records.soundKeys.addPending(key, T0 + HOUR);
      const received = { address: "192.0.2.1", bytes: 300, at: T0 + hour * HOUR };
      assert.equal((await addFile(records, record, key, { received })).kind, "added");
    }
    assert.deepEqual(await sendBytes(records, "fits", 2, 100), INSERTED);
    assert.deepEqual(await sendBytes(records, "more", 2, 1), dayFull(T0 + DAY));
  }),

  one("[L14] bytes of the same times add up, also after a clock was set back", async (records) => {
    await register(records, "device-1");
    for (const [index, hour] of [2, 2, 1, 3, 1, 2, 1].entries()) {
      assert.deepEqual(await sendBytes(records, `a-${index}`, hour, 100), INSERTED);
    }
    assert.deepEqual(await sendBytes(records, "b", 3, 301), dayFull(T0 + HOUR + DAY));
    assert.deepEqual(await sendBytes(records, "c", 3, 601), dayFull(T0 + 2 * HOUR + DAY));
    assert.deepEqual(await sendBytes(records, "d", 25, 600), INSERTED);
    assert.deepEqual(await sendBytes(records, "e", 25, 1), dayFull(T0 + 2 * HOUR + DAY));
  }),

  one("[L4] a package larger than the day's bytes gets a time within a day", async (records) => {
    await register(records, "device-1");
    const outcome = await sendBytes(records, "a", 0, 1001);
    assert.deepEqual(outcome, { kind: "address-limit", freeAt: T0 + DAY });
  }),
];

function hourFull(freeAt: number): InsertOutcome {
  return { kind: "hourly-limit", freeAt };
}

function dayFull(freeAt: number): InsertOutcome {
  return { kind: "address-limit", freeAt };
}

/** Announces a package a number of minutes after T0, with three packages per hour. */
function announceAt(
  records: OpenedRecords,
  minute: number,
  id: string,
  owner: { readonly deviceId?: string; readonly appId?: string } = {},
): Promise<InsertOutcome> {
  const record = packageOf(id, { createdAt: T0 + minute * MINUTE, ...owner });
  return insert(records, record, { quotas: { packagesPerHour: 3 } });
}

/** Announces and sends so many bytes a number of hours after T0, with 1000 bytes per address. */
function sendBytes(
  records: OpenedRecords,
  id: string,
  hour: number,
  bytes: number,
  address = "192.0.2.1",
): Promise<InsertOutcome> {
  const record = packageOf(id, { createdAt: T0 + Math.round(hour * HOUR), sizes: [bytes] });
  return send(records, record, { quotas: { bytesPerAddressPerDay: 1000 }, address });
}
