import { describe, expect, test } from "vitest";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import { removeDevice, renameDevice } from "../../../../relay/domain/pairing/devices.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { takePackage } from "../../../../relay/domain/packages/import-package.ts";
import {
  listApps,
  noteSeen,
  unpairApp,
  unpairToken,
} from "../../../../relay/domain/pairing/unpair.ts";
import { HOUR, T0 } from "../../../contracts/relay/records/sample-records.ts";
import {
  announced,
  beforeNextWrite,
  openUseCases,
  pair,
  pairedApp,
  recordOf,
  register,
  send,
  storedKeys,
  upload,
} from "../use-cases.ts";

describe("withdrawing a package", () => {
  test("[S6] removes record and files; the importer is notified only of one that waited", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const waiting = await send(cases, app);
    const { package_id: uploading } = await announced(cases, app);
    await upload(cases, app, uploading);
    cases.notified.length = 0;
    await withdraw(cases.context, app, waiting);
    expect(cases.notified).toEqual([
      `package:${waiting} packages.changed`,
      `device:${app.deviceId} packages.changed`,
    ]);
    expect(await storedKeys(cases)).toHaveLength(1);
    cases.notified.length = 0;
    await withdraw(cases.context, app, uploading);
    expect(cases.notified).toEqual([`package:${uploading} packages.changed`]);
    expect(await storedKeys(cases)).toEqual([]);
    for (const packageId of [waiting, uploading]) {
      await expect(withdraw(cases.context, app, packageId)).rejects.toMatchObject({
        code: "PACKAGE_UNKNOWN",
      });
    }
  });

  test("[S2] that a run takes at the same moment is refused, and its files stay", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const packageId = await send(cases, app);
    beforeNextWrite(cases, "remove", () =>
      takePackage(cases.context, app.deviceId, packageId, { run_id: "r" }),
    );
    await expect(withdraw(cases.context, app, packageId)).rejects.toMatchObject({
      code: "PACKAGE_TAKEN",
    });
    expect(await storedKeys(cases)).toHaveLength(1);
  });

  test("[S6] succeeds although the package changed in between", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const { package_id: packageId } = await announced(cases, app);
    beforeNextWrite(cases, "remove", () => upload(cases, app, packageId));
    await withdraw(cases.context, app, packageId);
    expect(await cases.context.packages.find(packageId)).toBeUndefined();
    expect(await storedKeys(cases)).toEqual([]);
  });
});

describe("unpairing", () => {
  test("[P5] by a token revokes that one at once and leaves the app's others", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const [first, second] = [await pair(cases, deviceId), await pair(cases, deviceId)];
    const { known } = cases.context;
    const app = await known.app(first);
    const { package_id: packageId } = await announced(cases, app);
    cases.notified.length = 0;
    await unpairToken(cases.context, app);
    await expect(known.app(first)).rejects.toMatchObject({ code: "TOKEN_UNKNOWN" });
    expect(await known.app(second)).toMatchObject({ pairingId: app.pairingId });
    expect(await recordOf(cases, packageId)).toBeDefined();
    expect(cases.notified).toEqual([
      `pairing:${app.pairingId} apps.changed`,
      `device:${deviceId} apps.changed`,
    ]);
  });

  test.each([
    ["by its last token", "leaves", true],
    ["by its user", "drops", false],
  ])("[A3] %s drops what the app was uploading and %s what waits", async (way, _, isLeft) => {
    await using cases = await openUseCases();
    const { context, notified } = cases;
    const { deviceId } = await register(cases);
    const token = await pair(cases, deviceId);
    const other = await context.known.app(await pair(cases, deviceId, "app-2"));
    const app = await context.known.app(token);
    const waiting = await send(cases, app);
    const { package_id: others } = await announced(cases, other);
    const { package_id: uploading } = await announced(cases, app);
    await upload(cases, app, uploading);
    notified.length = 0;
    if (way === "by its user") await unpairApp(context, deviceId, app.pairingId);
    else await unpairToken(context, app);
    await expect(context.known.app(token)).rejects.toMatchObject({ code: "TOKEN_UNKNOWN" });
    expect(await context.packages.find(uploading)).toBeUndefined();
    expect((await context.packages.find(waiting)) !== undefined).toBe(isLeft);
    expect(await recordOf(cases, others)).toBeDefined();
    expect(await storedKeys(cases)).toEqual(isLeft ? [expect.stringContaining(waiting)] : []);
    expect(notified).toEqual([
      ...(isLeft ? [] : [`device:${deviceId} packages.changed`]),
      `pairing:${app.pairingId} apps.changed`,
      `device:${deviceId} apps.changed`,
    ]);
  });

  test("[P7] an app that is not paired with this computer is 404, and nothing changes", async () => {
    await using cases = await openUseCases();
    const app = await pairedApp(cases);
    const { deviceId: elsewhere } = await register(cases);
    cases.notified.length = 0;
    await expect(unpairApp(cases.context, elsewhere, app.pairingId)).rejects.toMatchObject({
      code: "PAIRING_UNKNOWN",
    });
    expect(cases.notified).toEqual([]);
    expect(await listApps(cases.context, app.deviceId)).toHaveLength(1);
  });

  test("[P7] the list of apps knows of calls that were made just now", async () => {
    await using cases = await openUseCases();
    const { deviceId } = await register(cases);
    const token = await pair(cases, deviceId);
    cases.clock.time = T0 + HOUR;
    await cases.context.known.app(token);
    const [listed] = await listApps(cases.context, deviceId);
    expect(listed).toMatchObject({ pairedAt: T0, lastSeenAt: T0 + HOUR });
  });

  test("[P8] nothing is written down where nobody was seen", async () => {
    await using cases = await openUseCases();
    const { importerToken } = await register(cases);
    const noted: number[] = [];
    cases.context.pairings.noteSeen = async ({ devices, pairings }) =>
      void noted.push(devices.size + pairings.size);
    await noteSeen(cases.context);
    expect(noted).toEqual([]);
    await cases.context.known.device(importerToken);
    await noteSeen(cases.context);
    await noteSeen(cases.context);
    expect(noted).toEqual([1]);
  });
});

describe("a computer", () => {
  test("[P8] is renamed for itself and its apps at once, its name cleaned", async () => {
    await using cases = await openUseCases();
    const { deviceId, importerToken } = await register(cases);
    const token = await pair(cases, deviceId);
    const { context } = cases;
    expect((await context.known.app(token)).deviceName).toBe("Studio");
    expect((await context.known.device(importerToken)).deviceName).toBe("Studio");
    expect(await renameDevice(context, deviceId, "  Living\nroom ")).toBe("Living room");
    expect((await context.known.app(token)).deviceName).toBe("Living room");
    expect((await context.known.device(importerToken)).deviceName).toBe("Living room");
    await expect(renameDevice(context, deviceId, 5)).rejects.toMatchObject({
      code: "DEVICE_NAME_WRONG",
    });
    expect((await context.known.app(token)).deviceName).toBe("Living room");
  });

  test("[P8] that is removed loses tokens, packages and files, and its apps are notified", async () => {
    await using cases = await openUseCases();
    const { context, notified } = cases;
    const { deviceId, importerToken } = await register(cases);
    const token = await pair(cases, deviceId);
    const other = await pairedApp(cases);
    const app = await context.known.app(token);
    await context.known.device(importerToken);
    const packageId = await send(cases, app);
    const kept = await send(cases, other);
    notified.length = 0;
    await removeDevice(context, deviceId);
    await expect(context.known.app(token)).rejects.toMatchObject({ code: "TOKEN_UNKNOWN" });
    await expect(context.known.device(importerToken)).rejects.toMatchObject({
      code: "IMPORTER_UNKNOWN",
    });
    expect(await context.packages.find(packageId)).toBeUndefined();
    expect(await storedKeys(cases)).toEqual([expect.stringContaining(kept)]);
    expect(notified).toEqual([
      `pairing:${app.pairingId} apps.changed`,
      `device:${deviceId} apps.changed`,
    ]);
    await expect(commitPackage(context, app, packageId)).rejects.toMatchObject({
      code: "PACKAGE_UNKNOWN",
    });
  });
});
