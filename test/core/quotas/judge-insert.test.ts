import * as fc from "fast-check";
import {
  type IdempotentAnswer,
  type InsertCounts,
  type InsertVerdict,
  judgeInsert,
  type Quotas,
} from "../../../core/quotas/judge-insert.ts";
import { judgeRoom, type RoomCounts, roomLeft } from "../../../core/quotas/judge-room.ts";
import { describe, expect, test } from "vitest";
import { isProven } from "../../../core/quotas/budgets.ts";

const NOW = 1_767_225_600_000;
const HOUR = 3_600_000;
const EARLIER: IdempotentAnswer = { key: "key", bodyHash: "hash", answer: "{}", endsAt: NOW + 1 };

const NOTHING_ASKED: RoomCounts = {
  receivedBytes: 0,
  storedBytes: 0,
  reservedOfApp: 0,
  others: [],
  spareBytes: 0,
  reservedOfAddress: 0,
  reservedOfNetworks: [0, 0],
  reservedBytes: 0,
};
const NOTHING: InsertCounts = {
  deviceExists: true,
  earlier: undefined,
  nthLatestAt: undefined,
  waitingPackages: 0,
  ...NOTHING_ASKED,
};
const QUOTAS: Quotas = {
  packagesPerHour: 3,
  waitingPerDevice: 2,
  bytesPerDevice: 1000,
  bytesPerAddressPerDay: 2000,
  unfilledPerApp: 800,
  unfilledPerAddress: 900,
  uncrowdedBytes: 2500,
  roomBytes: 3000,
};

function judge(
  counts: Partial<InsertCounts>,
  { bytes = 100, ...quotas }: Partial<Quotas> & { readonly bytes?: number } = {},
): InsertVerdict {
  return judgeInsert({ ...NOTHING, ...counts }, { ...QUOTAS, ...quotas }, { bytes, now: NOW });
}

describe("each quota admits up to its edge and no further", () => {
  test("[L1] an hour after the n-th latest announcement there is room for one more", () => {
    expect(judge({ nthLatestAt: NOW - HOUR })).toEqual({ kind: "admitted" });
    const freeAt = NOW + 1;
    expect(judge({ nthLatestAt: NOW - HOUR + 1 })).toEqual({ kind: "hourly-limit", freeAt });
    expect(judge({ nthLatestAt: NOW })).toEqual({ kind: "hourly-limit", freeAt: NOW + HOUR });
  });

  test("[L1] an announcement in the future counts up to a whole hour ahead", () => {
    expect(judge({ nthLatestAt: NOW + HOUR - 1 }).kind).toBe("hourly-limit");
    expect(judge({ nthLatestAt: NOW + HOUR }).kind).toBe("admitted");
  });

  test("[L1] a limit of no packages refuses the first one", () => {
    const none = judge({}, { packagesPerHour: 0 });
    expect(none).toEqual({ kind: "hourly-limit", freeAt: NOW + HOUR });
  });

  test("[L4] the address gets its bytes exactly, and hears how many are too many", () => {
    expect(judge({ receivedBytes: 1900 })).toEqual({ kind: "admitted" });
    expect(judge({ receivedBytes: 1907 })).toEqual({ kind: "address-limit", excessBytes: 7 });
    expect(judge({ receivedBytes: 1800, reservedOfAddress: 100 })).toEqual({ kind: "admitted" });
    const unfinished = { kind: "uploads-unfinished", of: "address" };
    expect(judge({ receivedBytes: 1800, reservedOfAddress: 101 })).toEqual(unfinished);
  });

  test("[L2] a device has so many waiting packages, and so many bytes", () => {
    expect(judge({ waitingPackages: 1, storedBytes: 900 })).toEqual({ kind: "admitted" });
    expect(judge({ waitingPackages: 2 })).toEqual({ kind: "many-wait", of: "caller" });
    expect(judge({ storedBytes: 901 })).toEqual({ kind: "device-full", of: "caller" });
    const unfinished = { kind: "uploads-unfinished", of: "device" };
    expect(judge({ storedBytes: 500, reservedOfApp: 401 })).toEqual(unfinished);
  });

  test("[U9] an app and an address reserve their share, networks theirs while the relay is crowded", () => {
    expect(judge({ reservedOfApp: 700 })).toEqual({ kind: "admitted" });
    const ofApp = { kind: "uploads-unfinished", of: "app" };
    expect(judge({ reservedOfApp: 701 })).toEqual(ofApp);
    expect(judge({ reservedOfAddress: 800 })).toEqual({ kind: "admitted" });
    const ofAddress = { kind: "uploads-unfinished", of: "address" };
    expect(judge({ reservedOfAddress: 801 })).toEqual(ofAddress);

    const ofRelay = { kind: "uploads-unfinished", of: "relay" };
    const [narrow, wide] = [8 * 900 - 100, 64 * 900 - 100];
    const atEdge = { reservedOfNetworks: [narrow, wide], reservedBytes: 2401 };
    expect(judge(atEdge)).toEqual({ kind: "admitted" });
    for (const reservedOfNetworks of [
      [narrow + 1, wide],
      [narrow, wide + 1],
    ]) {
      expect(judge({ ...atEdge, reservedOfNetworks })).toEqual(ofRelay);
      expect(judge({ reservedOfNetworks, reservedBytes: 2400 })).toEqual({ kind: "admitted" });
    }
  });

  test("[U6] what is announced and what others still upload fits into the room, if that is known", () => {
    expect(judge({ reservedBytes: 2900 })).toEqual({ kind: "admitted" });
    const unfinished = { kind: "uploads-unfinished", of: "relay" };
    expect(judge({ reservedBytes: 2901 })).toMatchObject(unfinished);
    expect(judge({ reservedBytes: 1e15 }, { roomBytes: "unknown" })).toEqual({ kind: "admitted" });
    expect(judge({}, { roomBytes: 99 })).toMatchObject({ kind: "no-room" });
    // The reserve may already be used up.
    expect(judge({}, { roomBytes: -1 })).toMatchObject({ kind: "no-room" });
  });

  test("[L1] nothing is admitted for a device that is gone, nor answered again", () => {
    const gone = { kind: "device-gone" };
    expect(judge({ deviceExists: false })).toEqual(gone);
    expect(judge({ deviceExists: false, earlier: EARLIER })).toEqual(gone);
  });

  test("[Z6] after a jump of the clock a key replays its answer until the proven time is past its end", () => {
    const counts = { ...NOTHING, earlier: EARLIER };
    const kindAt = (confirmedNow: number) =>
      judgeInsert(counts, QUOTAS, { bytes: 1, now: NOW + 8 * HOUR, confirmedNow }).kind;
    expect([kindAt(NOW), kindAt(NOW + 1)]).toEqual(["replay", "admitted"]);
  });

  test("[M9] a key replays its answer until it expires, also for what a quota would refuse", () => {
    const replay = { kind: "replay", earlier: EARLIER };
    expect(judge({ earlier: EARLIER, waitingPackages: 9 })).toEqual(replay);
    expect(judge({ earlier: { ...EARLIER, endsAt: NOW } })).toEqual({ kind: "admitted" });
  });
});

describe("with any counts", () => {
  const COUNTS = fc.record({
    deviceExists: fc.boolean(),
    earlier: fc.option(fc.constantFrom(EARLIER, { ...EARLIER, endsAt: NOW }), { nil: undefined }),
    nthLatestAt: fc.option(fc.integer({ min: NOW - 2 * HOUR, max: NOW + 2 * HOUR }), {
      nil: undefined,
    }),
    receivedBytes: fc.nat(4000),
    waitingPackages: fc.nat(4),
    storedBytes: fc.nat(2000),
    reservedOfApp: fc.nat(2000),
    others: fc.constant([]),
    spareBytes: fc.constant(0),
    reservedOfAddress: fc.nat(2000),
    reservedOfNetworks: fc.array(fc.nat(90_000), { maxLength: 2 }),
    reservedBytes: fc.nat(6000),
  });
  const bytes = fc.nat(1000);

  test("[L1] the first reason in the order of the rule decides", () => {
    const reasons: readonly (readonly [InsertVerdict["kind"], Partial<InsertCounts>])[] = [
      ["device-gone", { deviceExists: true }],
      ["replay", { earlier: undefined }],
      ["hourly-limit", { nthLatestAt: undefined }],
      ["address-limit", { receivedBytes: -4000 }],
      ["many-wait", { waitingPackages: 0 }],
      ["device-full", { storedBytes: -4000 }],
      [
        "uploads-unfinished",
        { reservedOfApp: -4000, reservedOfAddress: -4000, reservedBytes: -4000 },
      ],
    ];
    fc.assert(
      fc.property(COUNTS, bytes, (counts, size) => {
        // Removing the reasons one by one never brings an earlier one back.
        const left: { -readonly [Name in keyof InsertCounts]: InsertCounts[Name] } = { ...counts };
        for (const [kind, without] of reasons) {
          const at = reasons.findIndex(([each]) => each === judge(left, { bytes: size }).kind);
          expect(at === -1 || at >= reasons.findIndex(([each]) => each === kind)).toBe(true);
          Object.assign(left, without);
        }
        expect(judge(left, { bytes: size })).toEqual({ kind: "admitted" });
      }),
    );
  });

  test("[L1][L4] the time and the excess that a refusal names are the least that helps", () => {
    fc.assert(
      fc.property(COUNTS, bytes, (counts, size) => {
        const verdict = judge(counts, { bytes: size });
        if (verdict.kind === "hourly-limit") {
          const at = (now: number) => judgeInsert(counts, QUOTAS, { bytes: size, now }).kind;
          expect(verdict.freeAt).toBeGreaterThan(NOW);
          expect(at(verdict.freeAt)).not.toBe("hourly-limit");
          expect(at(verdict.freeAt - 1)).toBe("hourly-limit");
        }
        if (verdict.kind === "address-limit") {
          const after = (left: number) =>
            judge({ ...counts, receivedBytes: counts.receivedBytes - left }, { bytes: size }).kind;
          expect(after(verdict.excessBytes)).not.toBe("address-limit");
          expect(after(verdict.excessBytes - 1)).toBe("address-limit");
        }
      }),
    );
  });
});

// In MiB, because places are.
const MIB = 1024 ** 2;
const bytes = fc.nat(1000).map((mib) => mib * MIB);
const counts = fc.record({
  receivedBytes: bytes,
  storedBytes: bytes,
  reservedOfApp: bytes,
  others: fc.array(
    fc.record({
      appId: fc.string(),
      storedBytes: bytes,
      reservedBytes: bytes,
      waitingPackages: fc.constant(0),
    }),
    { maxLength: 5 },
  ),
  spareBytes: bytes,
  reservedOfAddress: bytes,
  reservedOfNetworks: fc.array(bytes, { maxLength: 2 }),
  reservedBytes: bytes,
});
const upTo = (mib: number) => fc.nat(mib).map((each) => each * MIB);
const quotas = fc.record({
  bytesPerDevice: upTo(5000),
  bytesPerAddressPerDay: upTo(3000),
  unfilledPerApp: upTo(3000),
  unfilledPerAddress: upTo(3000),
  uncrowdedBytes: upTo(5000),
  roomBytes: fc.oneof(upTo(6000), fc.constant("unknown" as const)),
});

test("[A4] the bytes left are the most that an announcement gets room for", () => {
  fc.assert(
    fc.property(counts, quotas, (used, most) => {
      const left = roomLeft(used, most);
      const judged = left === 0 ? undefined : judgeRoom(used, most, { bytes: left });
      // What spare packages take is left, because they go.
      if (judged !== undefined) expect(judged).toMatchObject({ frees: { of: "device" } });
      const more = judgeRoom(used, most, { bytes: left + 1 });
      expect(more).toBeDefined();
      expect(more).not.toMatchObject({ frees: { of: "device" } });
    }),
    { numRuns: 2000 },
  );
});

test("[U6] a file that is sent again needs its bytes of the address and of the disk, but reserves none", () => {
  const again = (used: Partial<RoomCounts>, roomBytes = 3000) =>
    judgeRoom(
      { ...NOTHING_ASKED, ...used },
      { ...QUOTAS, roomBytes },
      { bytes: 60, replacedBytes: 40 },
    );
  expect(again({ receivedBytes: 1900 })).toBeUndefined();
  expect(again({ receivedBytes: 1901 })).toEqual({ kind: "address-limit", excessBytes: 1 });
  expect(again({}, 100)).toBeUndefined();
  expect(again({}, 99)).toMatchObject({ kind: "no-room" });
  expect(again({ reservedBytes: 2900 })).toBeUndefined();
  expect(again({ reservedBytes: 200 }, 300)).toBeUndefined();
  const ofRelay = { kind: "uploads-unfinished", of: "relay" };
  expect(again({ reservedBytes: 201 }, 300)).toMatchObject(ofRelay);
  expect(again({ reservedOfApp: 740 })).toBeUndefined();
});

test.each([
  [undefined, false],
  [{ days: 1, firstDay: 100, lastDay: 100 }, false],
  [{ days: 50, firstDay: 100, lastDay: 106 }, false],
  [{ days: 2, firstDay: 100, lastDay: 200 }, false],
  [{ days: 3, firstDay: 100, lastDay: 107 }, true],
])("[L7] imports on three days over a week prove a device: %o", (history, proven) => {
  expect(isProven(history)).toBe(proven);
});
