import assert from "node:assert/strict";
import type { HoldOutcome, Quotas } from "../../../../relay/domain/ports.ts";
import { one, type OpenedRecords, two } from "./records-case.ts";
import {
  addFile,
  ADDRESS,
  committed,
  DAY,
  hold,
  HOUR,
  insert,
  INSERTED,
  MINUTE,
  packageOf,
  put,
  register,
  roomFor,
  T0,
  updated,
} from "./sample-records.ts";
import { withKeys } from "./sound-key-cases.ts";

const HELD: HoldOutcome = { kind: "held" };
const OTHER = "198.51.100.7";
/** Time at which the reservations of these cases lapse, long before the upload window ends. */
const LAPSE = T0 + 5 * MINUTE;
const TRIES = Array.from({ length: 100 }, (_, index) => index);

/** The promises of `PackageRecords` about room that packages hold for missing bytes (rule U6). */
export const ROOM_CASES = [
  one("[U6] room lapses at its time; what is uploaded counts on", async (records) => {
    await register(records, "device-1");
    const record = packageOf("a", { sizes: [600, 300], room: roomFor(ADDRESS, LAPSE) });
    await insert(records, record);
    await records.soundKeys.addPending("a/1", T0 + HOUR);
    await updated(records, withKeys(record, "a/1"));
    const room = { roomBytes: 1000 };
    assert.deepEqual(await announce(records, "b", 701, LAPSE - 1, room), unfinished(LAPSE));
    assert.deepEqual(await announce(records, "b", 1000, LAPSE, room), INSERTED);
    await records.packages.remove("b", 1);
    const device = { bytesPerDevice: 1000 };
    assert.deepEqual(await announce(records, "c", 401, LAPSE, device), { kind: "device-full" });
    assert.deepEqual(await announce(records, "c", 400, LAPSE, device), INSERTED);
  }),

  one(
    "[U9] a device, an address and a crowded relay's networks reserve only their share",
    async (records) => {
      await register(records, "device-1");
      const ofDevice = { unfilledPerApp: 100 };
      assert.deepEqual(await announce(records, "a", 100, T0, ofDevice), INSERTED);
      assert.deepEqual(await announce(records, "b", 1, T0, ofDevice), unfinished(T0 + HOUR));
      await records.packages.remove("a", 1);

      const quotas = { unfilledPerAddress: 100, uncrowdedBytes: 1000 };
      const from = (address: string, id: string) =>
        insert(records, packageOf(id, { sizes: [100] }), { address, quotas });
      for (let host = 1; host <= 10; host += 1) {
        assert.deepEqual(await from(`192.0.2.${host}`, `pkg_${host}`), INSERTED);
      }
      assert.deepEqual(await from("192.0.2.1", "address"), unfinished(T0 + HOUR));
      assert.deepEqual(await from("192.0.2.11", "network"), unfinished(T0 + HOUR));
      assert.deepEqual(await from(OTHER, "elsewhere"), INSERTED);
      for (let host = 1; host <= 3; host += 1) await records.packages.remove(`pkg_${host}`, 1);
      assert.deepEqual(await from("192.0.2.11", "network"), INSERTED);
    },
  ),

  one(
    "[U6] an upload whose room has lapsed asks for it again, and may get none",
    async (records) => {
      await register(records, "device-1");
      await insert(records, packageOf("a", { sizes: [600], room: roomFor(ADDRESS, LAPSE) }));
      const quotas = { roomBytes: 1000 };
      assert.deepEqual(await announce(records, "b", 600, LAPSE, quotas), INSERTED);
      const again = () => hold(records, "a", { now: LAPSE + MINUTE, quotas });
      assert.deepEqual(await again(), unfinished(LAPSE + HOUR));
      const all = { now: LAPSE + MINUTE, quotas: { roomBytes: 599 } };
      assert.deepEqual(await hold(records, "a", all), { kind: "no-room" });
      await records.packages.remove("b", 1);
      assert.deepEqual(await again(), HELD);
      const later = LAPSE + 2 * MINUTE;
      assert.deepEqual(
        await announce(records, "c", 401, later, quotas),
        unfinished(LAPSE + MINUTE + HOUR),
      );
      assert.deepEqual(await announce(records, "c", 400, later, quotas), INSERTED);
    },
  ),

  one(
    "[L2][U6] an upload that asks for room again is judged by what has not ended, at any time",
    async (records) => {
      await register(records, "device-1");
      await put(records, withKeys(packageOf("ends", { sizes: [600] }), "ends/1"));
      await insert(records, packageOf("asks", { sizes: [401], createdAt: LAPSE }));
      const quotas = { bytesPerDevice: 1000 };
      const ask = (address: string, now: number) =>
        hold(records, "asks", { now, room: roomFor(address, now + MINUTE), quotas });
      const before = T0 + HOUR - 1;
      assert.deepEqual(await ask(OTHER, before), { kind: "device-full" });
      assert.deepEqual(await ask(OTHER, before + 1), HELD);
      // The clock was set back, and the package has not ended.
      assert.deepEqual(await ask(ADDRESS, before), { kind: "device-full" });
    },
  ),

  one("[U6] room that is held is prolonged whatever the quotas, and never cut", async (records) => {
    await register(records, "device-1");
    const record = packageOf("a", { sizes: [600], room: roomFor(ADDRESS, LAPSE) });
    await insert(records, record);
    const none = { roomBytes: 0, bytesPerAddressPerDay: 0, bytesPerDevice: 0 };
    const until = async (end: number) => {
      const outcome = await hold(records, "a", { room: roomFor(ADDRESS, end), quotas: none });
      assert.deepEqual(outcome, HELD);
      return records.packages.find("a");
    };
    const prolonged = { ...record, room: roomFor(ADDRESS, LAPSE + MINUTE) };
    assert.deepEqual(await until(LAPSE + MINUTE), prolonged);
    assert.deepEqual(await until(LAPSE), prolonged);
    const room = { roomBytes: 600 };
    assert.deepEqual(await announce(records, "b", 1, LAPSE, room), unfinished(LAPSE + MINUTE));
    assert.deepEqual(await announce(records, "b", 1, LAPSE + MINUTE, room), INSERTED);
  }),

  one("[U6] room moves to the address that sends, and counts once", async (records) => {
    await register(records, "device-1");
    await insert(records, packageOf("a", { sizes: [600] }));
    const quotas = {
      unfilledPerApp: 600,
      unfilledPerAddress: 600,
      uncrowdedBytes: 0,
      roomBytes: 600,
    };
    const moving = { room: roomFor(OTHER, T0 + HOUR), quotas };
    assert.deepEqual(await hold(records, "a", moving), HELD);
    assert.deepEqual((await records.packages.find("a"))?.room, moving.room);
    const share = { unfilledPerAddress: 600 };
    const first = packageOf("b", { sizes: [600] });
    assert.deepEqual(await insert(records, first, { quotas: share }), INSERTED);
    const second = packageOf("c", { sizes: [1] });
    const refused = await insert(records, second, { quotas: share, address: OTHER });
    assert.deepEqual(refused, unfinished(T0 + HOUR));
  }),

  one(
    "[L4][U6] an upload that replaces a file is judged by its bytes, and reserves none",
    async (records) => {
      await register(records, "device-1");
      await put(records, withKeys(packageOf("a", { sizes: [600, 1] }), "a/1"));
      const replace = (quotas: Partial<Quotas>) =>
        hold(records, "a", { replacedBytes: 600, quotas });
      const tooMuch = { kind: "address-limit", freeAt: T0 + DAY };
      assert.deepEqual(await replace({ bytesPerAddressPerDay: 600 }), tooMuch);
      assert.deepEqual(await replace({ roomBytes: 600 }), { kind: "no-room" });
      assert.deepEqual(await replace({ bytesPerAddressPerDay: 601, roomBytes: 601 }), HELD);
      assert.deepEqual(await announce(records, "b", 1000, T0, { roomBytes: 1001 }), INSERTED);
    },
  ),

  one(
    "[U6] room that a clock far ahead reserved has lapsed once the clock is right",
    async (records) => {
      await register(records, "device-1");
      const ahead = { createdAt: T0 + DAY, room: roomFor(ADDRESS, T0 + DAY + HOUR), sizes: [600] };
      for (const id of ["a", "b"]) await insert(records, packageOf(id, ahead));
      const quotas = { roomBytes: 1000 };
      const latestEnd = T0 + 2 * HOUR;
      const outcome = await insert(records, packageOf("c", { sizes: [400] }), {
        quotas,
        latestEnd,
      });
      assert.deepEqual(outcome, INSERTED);
      assert.deepEqual(await hold(records, "a", { quotas, latestEnd }), HELD);
      assert.deepEqual(await hold(records, "b", { quotas, latestEnd }), unfinished(T0 + HOUR));
      assert.equal((await records.packages.find("a"))?.room?.until, T0 + HOUR);
    },
  ),

  one("[U6] a package that is complete, deleted or gone holds no room", async (records) => {
    await register(records, "device-1");
    await put(records, withKeys(packageOf("complete"), "complete/1"));
    assert.equal((await records.packages.find("complete"))?.room, null);
    await put(records, { ...packageOf("deleted"), filesDeleted: true });
    await put(records, committed(packageOf("committed"), T0));
    await insert(records, packageOf("expired", { createdAt: T0 - HOUR }));
    for (const id of ["deleted", "committed", "expired", "unknown"]) {
      assert.deepEqual(await hold(records, id), { kind: "gone" });
    }
    assert.deepEqual(await announce(records, "all", 1000, T0, { roomBytes: 1000 }), INSERTED);
  }),

  one("[U6] a file prolongs room that is held, and brings none back", async (records) => {
    await register(records, "device-1");
    const record = packageOf("a", { sizes: [600, 298, 1, 1], room: roomFor(ADDRESS, LAPSE) });
    await insert(records, record);
    const late = LAPSE + MINUTE;
    const add = async (index: number) => {
      await records.soundKeys.addPending(`a/${index}`, T0 + HOUR);
      const longer = { ...record, room: roomFor(ADDRESS, late) };
      return (await addFile(records, longer, `a/${index}`, { index })).kind;
    };
    assert.equal(await add(2), "added");
    assert.deepEqual((await records.packages.find("a"))?.room, roomFor(ADDRESS, late));
    const quotas = { roomBytes: 1000 };
    assert.deepEqual(await announce(records, "b", 102, LAPSE, quotas), unfinished(late));
    assert.deepEqual(await announce(records, "b", 500, late, quotas), INSERTED);
    assert.equal(await add(3), "added");
    assert.deepEqual(await announce(records, "c", 500, late, quotas), INSERTED);
  }),

  two(
    "[J5][U6] of 100 uploads in two instances exactly one gets the last room",
    async (first, second) => {
      await register(first, "device-1");
      const lapsed = { sizes: [600], room: roomFor(ADDRESS, T0) };
      for (const index of TRIES) await insert(first, packageOf(`pkg_${index}`, lapsed));
      const outcomes = await Promise.all(
        TRIES.map((index) =>
          hold(index % 2 === 0 ? first : second, `pkg_${index}`, { quotas: { roomBytes: 1199 } }),
        ),
      );
      const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
      assert.equal(kinds.get("held")?.length, 1, "Not exactly one got the room.");
      assert.equal(kinds.get("uploads-unfinished")?.length, TRIES.length - 1);
    },
  ),
];

function unfinished(freeAt: number) {
  return { kind: "uploads-unfinished", freeAt };
}

/** Announces so many bytes at a time, which hold room for an hour. */
function announce(
  records: OpenedRecords,
  id: string,
  bytes: number,
  createdAt: number,
  quotas: Partial<Quotas>,
) {
  return insert(records, packageOf(id, { sizes: [bytes], createdAt }), { quotas });
}
