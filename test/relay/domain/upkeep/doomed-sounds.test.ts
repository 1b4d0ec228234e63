import { describe, expect, test } from "vitest";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import type { Context } from "../../../../relay/domain/context.ts";
import { removeDevice } from "../../../../relay/domain/pairing/devices.ts";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import * as imports from "../../../../relay/domain/packages/import-package.ts";
import { countStoreCalls } from "../../count-store-calls.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { unpairApp, unpairToken } from "../../../../relay/domain/pairing/unpair.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { DAY, HOUR, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { death, withFaults } from "../faulty-ports.ts";
import { openUpload, tooEarly } from "../uploads/open-upload.ts";
import {
  anotherProcess,
  doomedKeys,
  recordOf,
  register,
  storedKeys,
  upload,
} from "../use-cases.ts";
import { waitingPackage } from "../packages/waiting-package.ts";

type Opened = Awaited<ReturnType<typeof openUpload>>;

const AWAY = { sounds: { delete: () => Promise.reject(new Error("The disk is away.")) } };

/** A package with one uploaded sound, which is on its way out of the record. */
const WAYS_OUT: Record<string, (context: Context, relay: Opened) => Promise<unknown>> = {
  "its package is withdrawn": (context, { app, packageId }) => withdraw(context, app, packageId),
  "its app unpairs": (context, { app }) => unpairToken(context, app),
  "its app is unpaired by its user": (context, { app }) =>
    unpairApp(context, app.deviceId, app.pairingId),
  "its computer is removed": (context, { app }) => removeDevice(context, app.deviceId),
  "its package expires": (context, { cases }) => {
    cases.clock.time = T0 + HOUR;
    return sweep(context);
  },
  "its package is forgotten": (context, { cases }) => {
    cases.clock.time = T0 + 8 * DAY;
    return sweep(context);
  },
};

describe.each(Object.entries(WAYS_OUT))("a sound that goes because %s", (_, leave) => {
  test("[J2] is deleted and removed, in this order", async () => {
    await using relay = await openUpload();
    await relay.put();
    const order: string[] = [];
    const { sounds, soundKeys } = relay.cases.context;
    const { context } = withFaults(relay.cases, {
      sounds: {
        delete: async (keys, options) => {
          await sounds.delete(keys, options);
          if (options?.mayReturn !== true) order.push("deleted");
        },
      },
      soundKeys: {
        remove: async (keys) => {
          order.push("removed");
          await soundKeys.remove(keys);
        },
      },
    });
    await leave(context, relay);
    expect(order).toEqual(["deleted", "removed"]);
    expect([await storedKeys(relay.cases), await doomedKeys(relay.cases)]).toEqual([[], []]);
  });

  test.each(["delete", "remove"])(
    "[J2] is deleted by another process where this one dies before its %s",
    async (call) => {
      await using relay = await openUpload();
      await relay.put();
      const keys = await storedKeys(relay.cases);
      const { die, reached } = death();
      const faults =
        call === "delete" ? { sounds: { delete: die } } : { soundKeys: { remove: die } };
      void leave(withFaults(relay.cases, faults).context, relay);
      await reached;
      expect(await doomedKeys(relay.cases)).toEqual(keys);
      await sweep(anotherProcess(relay.cases));
      expect([await storedKeys(relay.cases), await doomedKeys(relay.cases)]).toEqual([[], []]);
    },
  );
});

test("[J2] a call whose deletion fails succeeds, and its keys stay doomed until a sweep deletes them", async () => {
  await using relay = await openUpload();
  await relay.put();
  const keys = await storedKeys(relay.cases);
  const { context } = withFaults(relay.cases, AWAY);
  await withdraw(context, relay.app, relay.packageId);
  expect(await context.packages.find(relay.packageId)).toBeUndefined();
  await expect(sweep(context)).rejects.toThrow("The disk is away.");
  expect(await doomedKeys(relay.cases)).toEqual(keys);
  expect(await storedKeys(relay.cases)).toEqual(keys);
  await sweep(relay.cases.context);
  expect([await storedKeys(relay.cases), await doomedKeys(relay.cases)]).toEqual([[], []]);
});

test("[J2] the sound that an upload replaced stays doomed where it can't be deleted, and the upload succeeds", async () => {
  await using relay = await openUpload();
  await relay.put();
  const [replaced] = await storedKeys(relay.cases);
  const faulty = withFaults(relay.cases, AWAY);
  await upload(faulty, relay.app, relay.packageId);
  expect(await doomedKeys(relay.cases)).toEqual([replaced]);
  await sweep(relay.cases.context);
  const { uploaded } = await recordOf(relay.cases, relay.packageId);
  expect(await storedKeys(relay.cases)).toEqual([...uploaded.values()]);
});

describe("a sweep", () => {
  /** Dooms so many keys, every tenth with bytes. */
  async function doomMany({ cases, packageId }: Opened, count: number): Promise<readonly string[]> {
    const { soundKeys, sounds } = cases.context;
    const keys = Array.from(
      { length: count },
      (_, index) => `${packageId}/snd_${String(index).padStart(4, "0")}`,
    );
    for (const key of keys) {
      await soundKeys.addPending(key, T0);
      if (!key.endsWith("0")) continue;
      const writer = await sounds.create(key, { bytes: 0, sha256: "" });
      await writer.finish();
    }
    await soundKeys.doom({ endedBy: T0 });
    return keys;
  }

  test("[J2] leaves only what can't be deleted, and says why", async () => {
    await using relay = await openUpload();
    const { cases } = relay;
    const { deviceId } = await register(cases);
    const keys = await doomMany(relay, 131);
    const stuck = keys.filter((_, index) => index === 0 || index === 60 || index === 130);
    const { sounds } = cases.context;
    const tried: string[] = [];
    let forgotten = 0;
    const { context } = withFaults(cases, {
      sounds: {
        delete: async (doomed) => {
          tried.push(...doomed);
          await sounds.delete(doomed.filter((key) => !stuck.includes(key)));
          const kept = doomed.find((key) => stuck.includes(key));
          if (kept !== undefined) throw new Error(`${kept} is stuck.`);
        },
      },
      packages: { forgetOld: async () => void (forgotten += 1) },
    });
    cases.clock.time = T0 + 90 * DAY + 1;
    await expect(sweep(context)).rejects.toThrow(`${stuck[0]} is stuck.`);
    expect(await storedKeys(cases)).toEqual(stuck);
    expect(await doomedKeys(cases)).toEqual(stuck);
    expect(forgotten).toBe(1);
    const devices = await context.pairings.listDevices({ unseenSince: cases.clock.time });
    expect(devices).not.toContain(deviceId);
    for (const key of stuck) expect(tried.filter((one) => one === key)).toHaveLength(2);
    await sweep(cases.context);
    expect([await storedKeys(cases), await doomedKeys(cases)]).toEqual([[], []]);
  });

  test("[J2] doesn't delete again what a package had once", async () => {
    await using relay = await openUpload();
    await relay.put();
    relay.cases.clock.time = T0 + HOUR;
    await sweep(relay.cases.context);
    relay.cases.clock.time = T0 + 8 * DAY;
    let deletions = 0;
    const { context } = withFaults(relay.cases, {
      sounds: { delete: async () => void (deletions += 1) },
    });
    await sweep(context);
    expect(await context.packages.find(relay.packageId)).toBeUndefined();
    expect(deletions).toBe(0);
  });

  test("[J2][Z3] deletes a thousand sounds at once, and strikes their keys off with one change", async () => {
    await using relay = await openUpload();
    await doomMany(relay, 1031);
    const { sounds } = relay.cases.context;
    const sizes: number[] = [];
    const count = async (keys: readonly string[]) => {
      sizes.push(keys.length);
      await sounds.delete(keys);
    };
    const { context } = withFaults(relay.cases, { sounds: { delete: count } });
    const taken = countStoreCalls(context);
    await sweep(context);
    expect(sizes).toEqual([1000, 31]);
    expect(taken().filter((name) => name === "remove")).toHaveLength(2);
  });

  test("[J2] deletes no sound that is unknown", async () => {
    await using relay = await openUpload();
    const { sounds } = relay.cases.context;
    const key = `${relay.packageId}/snd_unknown`;
    const writer = await sounds.create(key, { bytes: 0, sha256: "" });
    await writer.finish();
    relay.cases.clock.time = T0 + 8 * DAY;
    await sweep(anotherProcess(relay.cases));
    expect(await storedKeys(relay.cases)).toEqual([key]);
  });

  test("[S4] whose steps fail does the others, and says why each failed", async () => {
    await using relay = await openUpload();
    await relay.put();
    const fail = (what: string) => () => Promise.reject(new Error(what));
    const { context } = withFaults(relay.cases, {
      packages: { listDue: fail("No list."), forgetOld: fail("No forgetting.") },
    });
    await doomMany(relay, 1);
    await expect(sweep(context)).rejects.toMatchObject({
      errors: [new Error("No list."), new Error("No forgetting.")],
    });
    expect(await doomedKeys(relay.cases)).toEqual([]);
  });
});

describe("a doomed sound whose bytes are still there", () => {
  const notDeleted = { sounds: { delete: async () => {} } };

  test("[J2] is not served, not even to a download that has found it", async () => {
    await using relay = await waitingPackage();
    const { context } = withFaults(relay.cases, notDeleted);
    const find = () => findDownload(context, relay.app.deviceId, relay.packageId, "kick.wav");
    const { read } = await find();
    await withdraw(context, relay.app, relay.packageId);
    expect(await storedKeys(relay.cases)).toHaveLength(1);
    await expect(read({ start: 0, end: 3 })).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
    await expect(find()).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
  });

  test("[J2] is not served, taken or renewed where another process's clock was ahead", async () => {
    await using relay = await waitingPackage();
    const { context, cases, app, packageId } = relay;
    cases.clock.time = T0 + DAY - MINUTE;
    await relay.take({ run_id: "a" });
    const { life } = await recordOf(cases, packageId);
    cases.clock.time += 4 * MINUTE;
    const download = await findDownload(context, app.deviceId, packageId, "kick.wav");
    await context.packages.update({ ...(await recordOf(cases, packageId)), filesDeleted: true });
    const expired = { code: "PACKAGE_EXPIRED", status: 409 };
    const found = findDownload(context, app.deviceId, packageId, "kick.wav");
    await expect(found).rejects.toMatchObject(expired);
    await expect(download.read({ start: 0, end: 3 })).rejects.toMatchObject(expired);
    await expect(relay.take({ run_id: "a" })).rejects.toMatchObject(expired);
    await imports.renewPackageLease(context, packageId);
    expect((await recordOf(cases, packageId)).life).toEqual(life);
    const results = { results: { 1: { status: "imported" } } };
    const reported = await imports.reportResults(context, app, packageId, results);
    expect(reported.life.outcome).toBe("imported");
  });

  test("[J2] can't be committed, and its package takes no more uploads", async () => {
    await using relay = await openUpload();
    await relay.put();
    const { context } = relay.cases;
    const record = await recordOf(relay.cases, relay.packageId);
    await context.packages.update({ ...record, filesDeleted: true });
    const expired = { code: "PACKAGE_EXPIRED", status: 409 };
    const committing = commitPackage(context, relay.app, relay.packageId);
    await expect(committing).rejects.toMatchObject(expired);
    await expect(relay.put({ pieces: [tooEarly] })).rejects.toMatchObject(expired);
  });

  test("[J2] refuses an upload to its package that is already running", async () => {
    await using relay = await openUpload();
    const { packages } = relay.cases.context;
    const uploading = upload(
      withFaults(relay.cases, {
        soundKeys: {
          addPending: async (...args) => {
            await relay.cases.context.soundKeys.addPending(...args);
            const record = await recordOf(relay.cases, relay.packageId);
            await packages.update({ ...record, filesDeleted: true });
          },
        },
      }),
      relay.app,
      relay.packageId,
    );
    await expect(uploading).rejects.toMatchObject({ code: "PACKAGE_EXPIRED" });
    expect(await storedKeys(relay.cases)).toEqual([]);
  });

  test("[S1] a package that was committed before stays committed", async () => {
    await using relay = await waitingPackage();
    const { context, cases, app, packageId } = relay;
    await relay.report({ 1: { status: "imported" } });
    cases.clock.time = T0 + DAY;
    await sweep(context);
    const { life } = await commitPackage(context, app, packageId);
    expect(life.outcome).toBe("imported");
    await expect(imports.takePackage(context, app.deviceId, packageId, {})).rejects.toMatchObject({
      code: "PACKAGE_EXPIRED",
    });
  });
});
