import assert from "node:assert/strict";
import { one } from "./records-case.ts";
import { T0, pair, register } from "./sample-records.ts";

/** What `PairingRecords` promises of a token that was read before its owner changed (rules A3, P7, P8). */
export const TOKEN_CASES = [
  one("[A3] a token that was read before is refused as soon as it is revoked", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    assert.equal(await pairings.findAppByToken("token"), undefined);
    await pair(records, "device-1", { tokenHash: "token" });
    assert.ok(await pairings.findAppByToken("token"), "A token is unknown once it is issued.");
    await pairings.removeAppToken("token", T0);
    assert.equal(await pairings.findAppByToken("token"), undefined, "A revoked token works.");
  }),

  one(
    "[A3][P7] a token that was read before is refused as soon as its app is unpaired",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      const { pairingId } = await pair(records, "device-1", { tokenHash: "token" });
      assert.ok(await pairings.findAppByToken("token"));
      await pairings.removePairing("device-1", pairingId, T0);
      assert.equal(
        await pairings.findAppByToken("token"),
        undefined,
        "An unpaired app's token works.",
      );
    },
  ),

  one(
    "[A3][P8] tokens that were read before are refused as soon as their device is removed",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      await pair(records, "device-1", { tokenHash: "token" });
      assert.ok(await pairings.findAppByToken("token"));
      assert.ok(await pairings.findDeviceByToken("device-1-token"));
      await pairings.removeDevice("device-1");
      assert.equal(await pairings.findAppByToken("token"), undefined, "An app's token works.");
      const device = await pairings.findDeviceByToken("device-1-token");
      assert.equal(device, undefined, "A removed device's token works.");
    },
  ),

  one("[P8] tokens that were read before return the device's new name at once", async (records) => {
    const { pairings } = records;
    await register(records, "device-1");
    await pair(records, "device-1", { tokenHash: "token" });
    for (const name of ["Attic", "Cellar"]) {
      await pairings.renameDevice("device-1", name);
      assert.equal((await pairings.findDeviceByToken("device-1-token"))?.deviceName, name);
      assert.equal((await pairings.findAppByToken("token"))?.deviceName, name);
    }
  }),

  one(
    "[P5] a token that was read before returns its pairing's newest app name",
    async (records) => {
      const { pairings } = records;
      await register(records, "device-1");
      await pair(records, "device-1", { appName: "Old", tokenHash: "one" });
      assert.equal((await pairings.findAppByToken("one"))?.appName, "Old");
      await pair(records, "device-1", { appName: "New", tokenHash: "two" });
      assert.equal((await pairings.findAppByToken("one"))?.appName, "New");
    },
  ),
];
