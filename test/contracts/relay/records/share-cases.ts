import assert from "node:assert/strict";
import { RELAY_DEFAULTS } from "../../../../core/limits.ts";
import type { InsertOutcome, Quotas } from "../../../../relay/domain/ports.ts";
import { one, type OpenedRecords } from "./records-case.ts";
import {
  ADDRESS,
  committed,
  DAY,
  HOUR,
  INSERTED,
  MINUTE,
  NO_LIMITS,
  packageOf,
  put,
  register,
  registerTwo,
  roomFor,
  T0,
  updated,
  uploaded,
} from "./sample-records.ts";

const MIB = 1024 ** 2;
const { bytesPerDevice } = RELAY_DEFAULTS;

/** The promises of `PackageRecords` about the shares of apps, and the packages that make room for others. */
export const SHARE_CASES = [
  one("[L11] one app's packages leave room to three others, and are named", async (records) => {
    await register(records, "device-1");
    const fills = (id: string, appId: string, mib: number, createdAt = T0) => {
      const more = { appId, appName: `Name of ${appId}`, sizes: [mib * MIB], createdAt };
      return put(records, committed(uploaded(packageOf(id, more)), createdAt));
    };
    await fills("a1", "A", 200, T0 + MINUTE);
    await fills("a2", "A", 648, T0 + 2 * MINUTE);
    const quotas = { bytesPerDevice };
    const own = { appName: "Name of A", isCaller: true, freeAt: T0 + MINUTE + DAY };
    const byOwn = { kind: "device-full", fullOf: own };
    const now = T0 + 3 * MINUTE;
    assert.deepEqual(await announce(records, { appId: "A", mib: 1, now, quotas }), byOwn);
    for (const appId of ["B", "C", "D"]) {
      const tooLarge = await announce(records, { appId, mib: 401, now, quotas });
      assert.equal(tooLarge.kind, "device-full");
      await fills(appId, appId, 400);
    }
    const byA = { kind: "device-full", fullOf: { ...own, isCaller: false } };
    assert.deepEqual(await announce(records, { appId: "E", mib: 1, now, quotas }), byA);
    const later = T0 + MINUTE + DAY;
    assert.deepEqual(
      await announce(records, { appId: "A", mib: 200, now: later, quotas }),
      INSERTED,
    );
  }),

  one("[L11] one app's waiting packages leave places to others, and are named", async (records) => {
    await register(records, "device-1");
    const quotas = { waitingPerDevice: 86 };
    for (let index = 0; index < 83; index += 1) {
      const createdAt = T0 + index;
      await put(records, committed(packageOf(`a${index}`, { appId: "A", createdAt }), createdAt));
    }
    const ask = (appId: string) => announce(records, { appId, mib: 1, now: T0 + MINUTE, quotas });
    const fullOf = { appName: "Looper", isCaller: true, freeAt: T0 + DAY };
    assert.deepEqual(await ask("A"), { kind: "many-wait", fullOf });
    for (const appId of ["B", "C", "D"]) {
      assert.deepEqual(await ask(appId), INSERTED);
      await put(records, committed(packageOf(appId, { appId }), T0));
      assert.equal((await ask(appId)).kind, "many-wait");
    }
    const byA = { kind: "many-wait", fullOf: { ...fullOf, isCaller: false } };
    assert.deepEqual(await ask("E"), byA);
  }),

  one("[U9] what one app reserves leaves another app its own", async (records) => {
    await register(records, "device-1");
    const quotas = { bytesPerDevice, unfilledPerApp: 400 * MIB };
    const ask = (appId: string, mib: number) => announce(records, { appId, mib, now: T0, quotas });
    assert.deepEqual(await ask("A", 400), INSERTED);
    assert.equal((await ask("A", 1)).kind, "uploads-unfinished");
    assert.deepEqual(await ask("B", 400), INSERTED);
  }),

  one(
    "[L12] a spare package counts for nobody, and again once it is spare no more",
    async (records) => {
      await register(records, "device-1");
      await putSpare(records, "a", { sizes: [600] });
      const owner = { deviceId: "device-1", appId: "app-1" };
      const use = async () => {
        const asked = { address: ADDRESS, networks: [], now: T0 };
        const { storedBytes, spareBytes, spareOfRelay } = await records.packages.readUsage(
          owner,
          asked,
        );
        return [storedBytes, spareBytes, spareOfRelay];
      };
      assert.deepEqual(await use(), [0, 600, 600]);
      const spare = await records.packages.find("a");
      assert.ok(spare?.isSpare);
      await updated(records, { ...spare, isSpare: false });
      assert.deepEqual(await use(), [600, 0, 0]);
    },
  ),

  one(
    "[L12] all together never exceed the device's bytes: its spare packages go, oldest commit first",
    async (records) => {
      await registerTwo(records);
      await putSpare(records, "second", { createdAt: T0 + MINUTE, sizes: [300] });
      await putSpare(records, "first", { appId: "app-2", sizes: [300, 100] });
      await putSpare(records, "elsewhere", { deviceId: "device-2", sizes: [900] });
      await put(records, committed(uploaded(packageOf("counts", { sizes: [200] })), T0));
      const quotas = { bytesPerDevice: 1000 };
      const now = T0 + HOUR;
      const ask = (bytes: number) =>
        announce(records, { appId: "app-1", mib: bytes / MIB, now, quotas });
      const frees = { of: "device", bytes: 1 };
      const refused = await ask(101);
      assert.deepEqual({ ...refused, fullOf: null }, { kind: "device-full", fullOf: null, frees });
      assert.equal((await ask(801)).kind, "device-full");
      assert.ok(!("frees" in (await ask(801))), "What counts is in the way, whatever goes.");

      const dropped = await records.packages.dropSpares({ deviceId: "device-1", bytes: 1, now });
      const keys = ["first/snd_1", "first/snd_2"];
      assert.deepEqual(dropped, [{ packageId: "first", deviceId: "device-1", keys }]);
      const first = await records.packages.find("first");
      assert.ok(first?.filesDeleted);
      assert.equal(first.life.outcome, "imported");
      const doomed = await records.soundKeys.list({ state: "doomed", limit: 10 });
      assert.deepEqual([...doomed], keys);
      assert.deepEqual(await ask(500), INSERTED);
    },
  ),

  one(
    "[L12] for the disk the spare packages of any device go, as many as needed",
    async (records) => {
      await registerTwo(records);
      for (const [index, deviceId] of ["device-2", "device-1", "device-2"].entries()) {
        const createdAt = T0 + index * MINUTE;
        await putSpare(records, `p${index}`, { deviceId, createdAt, sizes: [300] });
      }
      await put(records, committed(uploaded(packageOf("counts")), T0 - HOUR));
      const drop = async (bytes: number) => {
        const dropped = await records.packages.dropSpares({ bytes, now: T0 + HOUR });
        return dropped.map(({ packageId }) => packageId).toSorted();
      };
      assert.deepEqual(await drop(301), ["p0", "p1"]);
      assert.deepEqual(await drop(1), ["p2"]);
      assert.deepEqual(await drop(1), []);
    },
  ),

  one("[L12] no package goes under a live lease, at its exact millisecond", async (records) => {
    await register(records, "device-1");
    await putSpare(records, "held");
    const held = await records.packages.find("held");
    assert.ok(held);
    const endsAt = T0 + HOUR;
    await updated(records, { ...held, life: { ...held.life, lease: { runId: "r", endsAt } } });
    for (const deviceId of [undefined, "device-1"]) {
      const before = { deviceId, bytes: 1, now: endsAt - 1 };
      assert.deepEqual(await records.packages.dropSpares(before), []);
    }
    const [dropped] = await records.packages.dropSpares({ bytes: 1, now: endsAt });
    assert.equal(dropped?.packageId, "held");
  }),
];

async function putSpare(
  records: OpenedRecords,
  id: string,
  more: Parameters<typeof packageOf>[1] = {},
): Promise<void> {
  const { createdAt = T0 } = more;
  const record = committed(uploaded(packageOf(id, more)), createdAt);
  await put(records, record);
  const stored = await records.packages.find(id);
  assert.ok(stored);
  const life = { ...stored.life, outcome: "imported" as const };
  await updated(records, { ...stored, life, isSpare: true });
}

let announced = 0;

/** Announces a package of its own name. */
async function announce(
  { packages }: Pick<OpenedRecords, "packages">,
  asked: {
    readonly appId: string;
    readonly mib: number;
    readonly now: number;
    readonly quotas: Partial<Quotas>;
  },
): Promise<InsertOutcome> {
  const { appId, mib, now, quotas } = asked;
  announced += 1;
  const record = packageOf(`asks ${announced}`, {
    appId,
    createdAt: now,
    sizes: [mib * MIB],
    room: roomFor(ADDRESS, now + HOUR),
  });
  return packages.insert(record, {
    now,
    address: ADDRESS,
    idempotency: undefined,
    quotas: { ...NO_LIMITS, ...quotas },
  });
}
