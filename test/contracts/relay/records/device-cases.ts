import assert from "node:assert/strict";
import { claim, putCode } from "./code-cases.ts";
import { one } from "./records-case.ts";
import { committed, DAY, MINUTE, packageOf, pair, put, register, T0 } from "./sample-records.ts";
import { keysOfSounds } from "./sound-key-cases.ts";

/** The promises of `PairingRecords` about devices (rule P8). */
export const DEVICE_CASES = [
  one("finds a device by its token and by nothing else", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await register(records, "device-2");
    assert.deepEqual(await pairings.findDevice("device-2-token"), {
      deviceId: "device-2",
      deviceName: "Name of device-2",
      registeredAt: T0,
      lastSeenAt: T0,
    });
    assert.equal(await pairings.findDevice("device-3-token"), undefined);
  }),

  one("rejects a change that fails, and does not affect concurrent ones", async (records) => {
    await register(records, "device-1");
    const outcomes = await Promise.allSettled([
      register(records, "device-2"),
      register(records, "device-1"),
      register(records, "device-3"),
    ]);
    const statuses = outcomes.map(({ status }) => status);
    assert.deepEqual(statuses, ["fulfilled", "rejected", "fulfilled"]);
    for (const id of ["device-1", "device-2", "device-3"]) {
      assert.ok(await records.pairings.findDevice(`${id}-token`), `${id} was lost.`);
    }
  }),

  one("[P8] returns a device's new name to its apps", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await pair(records, "device-1", { tokenHash: "token" });
    await pairings.changeDevice("device-1", { deviceName: "Attic" });
    assert.equal((await pairings.findApp("token"))?.deviceName, "Attic");
    assert.equal((await pairings.findDevice("device-1-token"))?.deviceName, "Attic");
  }),

  one("[L7] remembers on how many days a device imported, in order", async (records) => {
    const { pairings } = records;
    for (const device of ["device-1", "device-2"]) await register(records, device);
    await pair(records, "device-1", { tokenHash: "token" });
    assert.equal((await pairings.findDevice("device-1-token"))?.imports, undefined);
    for (const importDay of [20_000, 20_000, 20_003, 20_001, 20_009]) {
      await pairings.changeDevice("device-1", { importDay });
    }
    await pairings.changeDevice("device-3", { importDay: 20_000 });
    const imports = { days: 3, firstDay: 20_000, lastDay: 20_009 };
    assert.deepEqual((await pairings.findDevice("device-1-token"))?.imports, imports);
    assert.deepEqual((await pairings.findApp("token"))?.imports, imports);
    assert.equal((await pairings.findDevice("device-2-token"))?.imports, undefined);
  }),

  one(
    "[P8][J2] removes a device with its tokens, code and packages, and dooms their keys",
    async (records) => {
      const { pairings, packages, soundKeys } = records;
      for (const device of ["device-1", "device-2"]) {
        await register(records, device);
        await pair(records, device, { tokenHash: `${device}-app` });
        await putCode(pairings, device, `${device}-code`);
        await put(
          records,
          committed(packageOf(`pkg_${device}`, { deviceId: device, sizes: [1, 2] }), T0),
        );
      }
      const keys = ["pkg_device-1/snd_1", "pkg_device-1/snd_2"];
      const { doomed } = await pairings.removeDevice("device-1");
      assert.deepEqual(keysOfSounds(doomed), keys);
      const listed = await soundKeys.list({ state: "doomed", limit: 10 });
      assert.deepEqual(keysOfSounds(listed), keys);
      assert.equal(await pairings.findDevice("device-1-token"), undefined);
      assert.equal(await pairings.findApp("device-1-app"), undefined);
      assert.deepEqual(await pairings.listPairings("device-1"), []);
      assert.equal(await packages.find("pkg_device-1"), undefined);
      assert.equal(await claim(pairings, "device-1-code", "late"), undefined);

      assert.ok(await pairings.findApp("device-2-app"), "Another device's app is gone.");
      assert.ok(await packages.find("pkg_device-2"), "Another device's package is gone.");
      assert.ok(await claim(pairings, "device-2-code", "other"));
      assert.deepEqual(await pairings.removeDevice("device-1"), { doomed: [] });
    },
  ),

  one("[P8] neither a new name nor being seen brings a removed device back", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    const { pairingId } = await pair(records, "device-1", { tokenHash: "token" });
    await pairings.removeDevice("device-1");
    await pairings.changeDevice("device-1", { deviceName: "Attic" });
    await pairings.noteSeen({
      devices: new Map([["device-1", T0 + DAY]]),
      pairings: new Map([[pairingId, T0 + DAY]]),
    });
    assert.deepEqual(await pairings.listDevices({ unseenSince: T0 + 2 * DAY }), []);
    assert.deepEqual(await pairings.listPairings("device-1"), []);
    assert.equal(await pairings.findDevice("device-1-token"), undefined);
    assert.equal(await pairings.findApp("token"), undefined);
  }),

  one("[P8] rejects a code of a removed device, and no app pairs with it", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await register(records, "device-2");
    await pairings.removeDevice("device-1");
    await assert.rejects(putCode(pairings, "device-1", "code"), "A removed device got a code.");
    assert.equal(await claim(pairings, "code", "token"), undefined, "A removed device paired.");
    assert.deepEqual(await pairings.listPairings("device-1"), []);
    assert.equal(await putCode(pairings, "device-2", "code"), true);
  }),

  one(
    "[P8] lists devices last seen before a time, and last-seen times never decrease",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      await register(records, "device-2");
      for (const time of [T0 + DAY, T0 + MINUTE]) {
        const devices = new Map([["device-1", time]]);
        await pairings.noteSeen({ devices, pairings: new Map() });
      }
      const unseenSince = async (time: number) =>
        (await pairings.listDevices({ unseenSince: time })).toSorted();
      assert.deepEqual(await unseenSince(T0), []);
      assert.deepEqual(await unseenSince(T0 + 1), ["device-2"]);
      assert.deepEqual(await unseenSince(T0 + DAY), ["device-2"]);
      assert.deepEqual(await unseenSince(T0 + DAY + 1), ["device-1", "device-2"]);
    },
  ),

  one("[AD9] lists devices that were never paired, also if others have no app", async (records) => {
    const { pairings } = records;
    for (const device of ["device-1", "device-2", "device-3", "device-4"]) {
      await register(records, device);
    }
    await pair(records, "device-1");
    await pair(records, "device-2", { tokenHash: "token" });
    await pairings.unpair({ tokenHash: "token" }, T0);
    await putCode(pairings, "device-3", "code");
    const seen = new Map([["device-4", T0 + 1]]);
    await pairings.noteSeen({ devices: seen, pairings: new Map() });
    const neverPaired = async (unseenSince: number) =>
      (await pairings.listDevices({ unseenSince, neverPaired: true })).toSorted();
    assert.deepEqual(await neverPaired(T0), []);
    assert.deepEqual(await neverPaired(T0 + 1), ["device-3"]);
    assert.deepEqual(await neverPaired(T0 + 2), ["device-3", "device-4"]);
  }),
];

/** The promises of `PairingRecords` about a token that was read before its owner changed (rules A3, P7, P8). */
export const TOKEN_CASES = [
  one("[A3] a token that was read before is refused as soon as it is revoked", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    assert.equal(await pairings.findApp("token"), undefined);
    await pair(records, "device-1", { tokenHash: "token" });
    assert.ok(await pairings.findApp("token"), "A token is unknown once it is issued.");
    await pairings.unpair({ tokenHash: "token" }, T0);
    assert.equal(await pairings.findApp("token"), undefined, "A revoked token works.");
  }),

  one(
    "[A3][P7] a token that was read before is refused as soon as its app is unpaired",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      const { pairingId } = await pair(records, "device-1", { tokenHash: "token" });
      assert.ok(await pairings.findApp("token"));
      await pairings.unpair({ deviceId: "device-1", pairingId }, T0);
      assert.equal(await pairings.findApp("token"), undefined, "An unpaired app's token works.");
    },
  ),

  one(
    "[A3][P8] tokens that were read before are refused as soon as their device is removed",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      await pair(records, "device-1", { tokenHash: "token" });
      assert.ok(await pairings.findApp("token"));
      assert.ok(await pairings.findDevice("device-1-token"));
      await pairings.removeDevice("device-1");
      assert.equal(await pairings.findApp("token"), undefined, "An app's token works.");
      const device = await pairings.findDevice("device-1-token");
      assert.equal(device, undefined, "A removed device's token works.");
    },
  ),

  one("[P8] tokens that were read before return the device's new name at once", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await pair(records, "device-1", { tokenHash: "token" });
    for (const name of ["Attic", "Cellar"]) {
      await pairings.changeDevice("device-1", { deviceName: name });
      assert.equal((await pairings.findDevice("device-1-token"))?.deviceName, name);
      assert.equal((await pairings.findApp("token"))?.deviceName, name);
    }
  }),

  one(
    "[P5] a token that was read before returns its pairing's newest app name",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      await pair(records, "device-1", { appName: "Old", tokenHash: "one" });
      assert.equal((await pairings.findApp("one"))?.appName, "Old");
      await pair(records, "device-1", { appName: "New", tokenHash: "two" });
      assert.equal((await pairings.findApp("one"))?.appName, "New");
    },
  ),
];
