import assert from "node:assert/strict";
import type { InsertOutcome, PackageRecord, Quotas } from "../../../../relay/domain/ports.ts";
import { one, type OpenedRecords, two } from "./records-case.ts";
import {
  addFile,
  committed,
  DAY,
  HOUR,
  insert,
  INSERTED,
  MINUTE,
  packageOf,
  put,
  register,
  registerTwo,
  send,
  T0,
} from "./sample-records.ts";

/**
 * The refusal until the first of a case's reservations lapses, with the upload window of the package that is
 * announced first.
 */
const UNFINISHED = { kind: "uploads-unfinished", freeAt: T0 + HOUR };

/** The promises of `PackageRecords` about the quotas of packages, bytes and room (rules L1, L2, U6). */
export const QUOTA_CASES = [
  one(
    "[L2] a device has a maximum of waiting packages, and only waiting ones count",
    async (records) => {
      await registerTwo(records);
      const quotas = { waitingPerDevice: 1 };
      const announce = (id: string, createdAt = T0 + MINUTE) =>
        insert(records, packageOf(id, { createdAt }), { quotas });
      await put(records, packageOf("uploading"));
      for (const outcome of ["imported", "partial", "failed"] as const) {
        const reported = committed(packageOf(outcome), T0);
        await put(records, { ...reported, life: { ...reported.life, outcome } });
      }
      const expired = committed(packageOf("expired"), T0);
      await put(records, { ...expired, life: { ...expired.life, waitEndsAt: T0 + 1 } });
      await put(records, committed(packageOf("elsewhere", { deviceId: "device-2" }), T0));
      assert.deepEqual(await announce("pkg_1"), INSERTED);
      await put(records, committed(packageOf("waits", { createdAt: T0 + MINUTE }), T0));
      assert.deepEqual(await announce("pkg_2"), { kind: "many-wait" });
      assert.deepEqual(await announce("pkg_3", T0 + DAY), INSERTED);
    },
  ),

  one("[L2] a device has a maximum of bytes in packages whose files exist", async (records) => {
    await registerTwo(records);
    const announce = (id: string, bytes: number, more: Partial<PackageRecord> = {}) =>
      announceUnder({ bytesPerDevice: 1000 }, records, id, bytes, more);
    assert.deepEqual(await send(records, packageOf("a", { sizes: [600] })), INSERTED);
    assert.deepEqual(await announce("b", 401), { kind: "device-full" });
    assert.deepEqual(await announce("b", 400), INSERTED);
    assert.deepEqual(await announce("c", 1000, { deviceId: "device-2" }), INSERTED);
    await records.packages.remove("a", 2);
    assert.deepEqual(await announce("d", 600, { createdAt: T0 + MINUTE }), INSERTED);
    const late = await announce("e", 1, { createdAt: T0 + HOUR - 1 });
    assert.deepEqual(late, UNFINISHED);
    assert.deepEqual(await announce("e", 400, { createdAt: T0 + HOUR }), INSERTED);
  }),

  one(
    "[U6] an announcement reserves room: what others still have to upload is subtracted",
    async (records) => {
      await registerTwo(records);
      const announce = (id: string, bytes: number, createdAt = T0) => {
        const record = packageOf(id, { sizes: [bytes, 1], createdAt, deviceId: "device-2" });
        return insert(records, record, { quotas: { roomBytes: 1000 } });
      };
      const first = packageOf("a", { sizes: [600, 100] });
      await insert(records, first);
      assert.deepEqual(await announce("b", 300), UNFINISHED);
      assert.deepEqual(await announce("b", 299), INSERTED);
      // Uploaded bytes take up room in the sound store already.
      await records.soundKeys.addPending("a/snd_1", T0 + HOUR);
      assert.equal((await addFile(records, first, "a/snd_1")).kind, "added");
      assert.deepEqual(await announce("c", 600), UNFINISHED);
      assert.deepEqual(await announce("c", 599), INSERTED);
      assert.deepEqual(await announce("d", 1, T0 + HOUR - 1), UNFINISHED);
      assert.deepEqual(await announce("d", 999, T0 + HOUR), INSERTED);
    },
  ),

  one("[U6] exactly one of many concurrent packages gets the last room", async (records) => {
    await registerTwo(records);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        announceUnder({ roomBytes: 1000 }, records, `pkg_${index}`, 600),
      ),
    );
    assert.equal(outcomes.filter(({ kind }) => kind === "inserted").length, 1);
  }),

  one("[U6] a store that can't tell its room refuses nothing for lack of it", async (records) => {
    await registerTwo(records);
    const announce = (id: string, quotas: Partial<Quotas>) =>
      announceUnder(quotas, records, id, 1e12);
    assert.deepEqual(await announce("a", { roomBytes: "unknown" }), INSERTED);
    assert.deepEqual(await announce("b", { roomBytes: "unknown" }), INSERTED);
    const full = await announce("c", { roomBytes: "unknown", bytesPerDevice: 3e12 - 1 });
    assert.deepEqual(full, UNFINISHED);
    assert.deepEqual(await announce("d", { roomBytes: 3e12 - 1 }), UNFINISHED);
    assert.deepEqual(await announce("d", { roomBytes: 1e12 - 1 }), { kind: "no-room" });
    assert.deepEqual(await announce("d", { roomBytes: 3e12 }), INSERTED);
  }),

  one(
    "[L1][L2] quotas are checked in the order hourly limit, address, many wait, device, room, unfinished",
    async (records) => {
      await registerTwo(records);
      await put(records, committed(packageOf("waits", { sizes: [100] }), T0));
      await put(records, packageOf("uploading", { sizes: [100] }));
      const quotas = {
        packagesPerHour: 0,
        bytesPerAddressPerDay: 0,
        waitingPerDevice: 0,
        bytesPerDevice: 0,
        roomBytes: 0,
        unfilledPerApp: 0,
      };
      const kinds: string[] = [];
      for (const raised of [
        {},
        { packagesPerHour: 100 },
        { bytesPerAddressPerDay: 1e9 },
        { waitingPerDevice: 100 },
        { bytesPerDevice: 1e9 },
        { roomBytes: 1e9 },
        { unfilledPerApp: 1e9 },
      ]) {
        Object.assign(quotas, raised);
        kinds.push((await insert(records, packageOf("pkg_1"), { quotas })).kind);
      }
      const quotaRefusals = ["hourly-limit", "address-limit", "many-wait"];
      const roomRefusals = ["device-full", "no-room", "uploads-unfinished"];
      assert.deepEqual(kinds, [...quotaRefusals, ...roomRefusals, "inserted"]);
    },
  ),
];

/** Announces so many bytes under only the given quotas. */
function announceUnder(
  quotas: Partial<Quotas>,
  records: OpenedRecords,
  id: string,
  bytes: number,
  more: Partial<PackageRecord> = {},
): Promise<InsertOutcome> {
  return insert(records, packageOf(id, { sizes: [bytes], ...more }), { quotas });
}

const TRIES = Array.from({ length: 100 }, (_, index) => index);

/** The promises of two instances on one store at the edge of a quota (rule J5). */
export const LAST_PLACE_CASES = [
  lastPlace("[L1] in the hour", { packagesPerHour: 10 }, "hourly-limit"),
  lastPlace("[L4] in the address's day", { bytesPerAddressPerDay: 1099 }, "uploads-unfinished"),
  lastPlace("[L2] on the device", { bytesPerDevice: 1099 }, "uploads-unfinished"),
  lastPlace("[U6] in the sound store", { roomBytes: 1099 }, "uploads-unfinished"),

  two(
    "[J5][L2] a package that one instance commits or reports counts at once for the other's inserts",
    async (first, second) => {
      await register(first, "device-1");
      const quotas = { waitingPerDevice: 2 };
      await put(first, committed(packageOf("waits"), T0));
      for (let round = 0; round < 10; round += 1) {
        const announce = (records: OpenedRecords, name: string) =>
          insert(records, packageOf(`${name}_${round}`), { quotas });
        const waiting = await put(first, committed(packageOf(`edge_${round}`), T0));
        const refused = await announce(second, "refused");
        assert.deepEqual(refused, { kind: "many-wait" }, "A commit did not count at once.");
        const life = { ...waiting.life, outcome: "imported" as const };
        assert.equal(await first.packages.update({ ...waiting, life }), "updated");
        assert.deepEqual(await announce(second, "b"), INSERTED, "A report did not free its place.");
      }
    },
  ),
];

/**
 * Makes a case of 100 announcements of 100 bytes, with a quota that has room for one more, and would have room for
 * two with a byte more.
 */
function lastPlace(where: string, quotas: Partial<Quotas>, refusal: string) {
  const [rule, place] = [where.slice(0, 4), where.slice(5)];
  return two(
    `[J5]${rule} of 100 announcements in two instances exactly one gets the last place ${place}`,
    async (first, second) => {
      await register(first, "device-1");
      for (let earlier = 0; earlier < 9; earlier += 1) {
        assert.deepEqual(
          await insert(first, packageOf(`earlier_${earlier}`), { quotas }),
          INSERTED,
        );
      }
      const outcomes = await Promise.all(
        TRIES.map((index) =>
          insert(index % 2 === 0 ? first : second, packageOf(`pkg_${index}`), { quotas }),
        ),
      );
      const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
      assert.equal(kinds.get("inserted")?.length ?? 0, 1, "Not exactly one was admitted.");
      assert.deepEqual([...kinds.keys()].toSorted(), ["inserted", refusal].toSorted());
      const found = await Promise.all(
        TRIES.map(async (index) =>
          (index % 2 === 0 ? first : second).packages.find(`pkg_${index}`),
        ),
      );
      const expected = outcomes.map(({ kind }) => kind === "inserted");
      assert.deepEqual(
        found.map(Boolean),
        expected,
        "Another package is stored than was admitted.",
      );
    },
  );
}
