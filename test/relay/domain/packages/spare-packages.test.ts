import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { dismissedResults, NOT_SELECTED } from "../../../../core/protocol/package-status.ts";
import { commitPackage } from "../../../../relay/domain/packages/commit-package.ts";
import { findDownload } from "../../../../relay/domain/packages/find-download.ts";
import { reportResults, takePackage } from "../../../../relay/domain/packages/import-package.ts";
import { readStatus } from "../../../../relay/domain/packages/read-status.ts";
import { readRoom } from "../../../../relay/domain/packages/room-left.ts";
import { callingApp } from "../../../../relay/domain/caller.ts";
import type { KnownApp } from "../../../../relay/domain/pairing/known-tokens.ts";
import { DAY, HOUR, MINUTE, T0 } from "../../../contracts/relay/records/sample-records.ts";
import { manifestOf } from "../../../manifest-of.ts";
import {
  announce,
  announced,
  openUseCases,
  pair,
  pairedApp,
  proven,
  recordOf,
  sendBytes,
  storedKeys,
  upload,
  type UseCases,
  wavOf,
} from "../use-cases.ts";

const KEPT = { "1": { status: "imported", path: "Kit/Kick.wav", kept: true } };

/** Sends a package of so many bytes, and has the importer report it. */
async function reported(
  cases: UseCases,
  app: KnownApp,
  bytes: number,
  results: object = KEPT,
): Promise<string> {
  const packageId = await sendBytes(cases, app, bytes);
  await commitPackage(cases.context, app, packageId);
  await reportResults(cases.context, app, packageId, { results });
  return packageId;
}

async function statusOf({ context }: UseCases, app: KnownApp, packageId: string) {
  return JSON.parse(await readStatus(context, app, packageId));
}

function soundOf(bytes: number) {
  return manifestOf({ "kick.wav": wavOf(bytes) });
}

describe("a package that its importer keeps, or dismissed", () => {
  test("[L12] makes room, the oldest commit first; its status stays until the date that it had", async () => {
    await using cases = await openUseCases({ bytesPerDevice: 5000 });
    const { context, clock } = cases;
    const app = await pairedApp(cases);
    const first = await reported(cases, app, 2000);
    clock.time += MINUTE;
    const second = await reported(cases, app, 2000);
    const before = await statusOf(cases, app, first);
    // They take no room from this announcement, and all fits.
    await announce(cases, app, soundOf(1000));
    expect((await recordOf(cases, first)).filesDeleted).toBe(false);

    await announce(cases, app, soundOf(1000));
    expect(await storedKeys(cases)).toEqual([expect.stringContaining(second)]);
    const after = await statusOf(cases, app, first);
    expect(after).toEqual(before);
    expect(after).toMatchObject({ status: "imported", results: { 1: { status: "imported" } } });
    const take = () => takePackage(context, app.deviceId, first, { run_id: "r" });
    await expect(take()).rejects.toMatchObject({ code: "PACKAGE_EXPIRED", status: 409 });
    clock.time = T0 + DAY + 7 * DAY - 1;
    expect((await statusOf(cases, app, first)).status).toBe("imported");
    clock.time += 1;
    await expect(statusOf(cases, app, first)).rejects.toMatchObject({ code: "PACKAGE_UNKNOWN" });
  });

  test.each([
    ["isn't confirmed", { "1": { status: "imported", path: "Kit/Kick.wav" } }],
    ["isn't confirmed with true", { "1": { ...KEPT["1"], kept: "yes" } }],
    ["failed", { "1": { ...KEPT["1"], status: "failed", error: "Live refused it." } }],
    ["was left out", { "1": { status: "skipped", error: NOT_SELECTED } }],
    ["isn't in the report", {}],
  ])("[L12] counts on while a sound %s", async (_, results) => {
    await using cases = await openUseCases({ bytesPerDevice: 3000 });
    const app = await pairedApp(cases);
    const packageId = await reported(cases, app, 2000, results);
    const refused = announce(cases, app, soundOf(1002));
    await expect(refused).rejects.toMatchObject({
      code: "DEVICE_FULL",
      message: "Your packages fill this computer's room. Import or dismiss them first.",
      extras: { retryAfterSeconds: DAY / 1000 },
    });
    expect((await recordOf(cases, packageId)).filesDeleted).toBe(false);
  });

  test("[L12][R12] counts no longer once it is dismissed, and again after a run that keeps less", async () => {
    await using cases = await openUseCases({ bytesPerDevice: 3000 });
    const { context } = cases;
    const app = await pairedApp(cases);
    const packageId = await reported(cases, app, 2000, dismissedResults(["1"]));
    const left = async () =>
      (await readRoom(context, app, callingApp(app, "192.0.2.1"))).bytes_left;
    expect(await left()).toBe(3000);
    await reportResults(context, app, packageId, { results: { "1": { status: "imported" } } });
    expect(await left()).toBe(1000);
    await reportResults(context, app, packageId, { results: dismissedResults(["1"]) });
    await announce(cases, app, soundOf(3000));
    expect(await statusOf(cases, app, packageId)).toMatchObject({ status: "failed" });
    // Its files are gone, so nothing of it counts.
    await reportResults(context, app, packageId, { results: { "1": { status: "imported" } } });
    expect(await left()).toBe(0);
  });

  test("[L12] never goes under a live lease", async () => {
    await using cases = await openUseCases({ bytesPerDevice: 3000 });
    const { context, clock, leaseMs } = { ...cases, leaseMs: cases.context.policy.leaseMs };
    const app = await pairedApp(cases);
    const packageId = await reported(cases, app, 2000);
    await takePackage(context, app.deviceId, packageId, { run_id: "again" });
    clock.time += leaseMs - 1;
    const large = () => announce(cases, app, soundOf(2000));
    await expect(large()).rejects.toMatchObject({ code: "DEVICE_FULL" });
    expect((await recordOf(cases, packageId)).filesDeleted).toBe(false);
    clock.time += 1;
    await large();
    expect((await recordOf(cases, packageId)).filesDeleted).toBe(true);
  });

  test("[L12] is read to its end by who reads it", async () => {
    await using cases = await openUseCases({ bytesPerDevice: 3000 });
    const app = await pairedApp(cases);
    const packageId = await reported(cases, app, 2000);
    const download = await findDownload(cases.context, app.deviceId, packageId, "kick.wav");
    const reading = await download.read({ start: 0, end: 1999 });
    await announce(cases, app, soundOf(3000));
    expect(await storedKeys(cases)).toEqual([]);
    expect((await buffer(Readable.from(reading))).equals(wavOf(2000))).toBe(true);
  });

  test("[L12] stays where an announcement is refused for another reason", async () => {
    await using cases = await openUseCases({ bytesPerDevice: 3000, packagesPerHour: 1 });
    const app = await pairedApp(cases);
    const packageId = await reported(cases, app, 2000);
    await expect(announce(cases, app, soundOf(3000))).rejects.toMatchObject({
      code: "PACKAGES_TOO_MANY",
    });
    expect((await recordOf(cases, packageId)).filesDeleted).toBe(false);
  });

  test("[L12][U6] makes room for an upload that asks again", async () => {
    await using cases = await openUseCases({ bytesPerDevice: 3000 });
    const { clock } = cases;
    const app = await pairedApp(cases);
    const wav = wavOf(1000);
    const manifest = manifestOf({ "kick.wav": wav });
    const { package_id: packageId } = await announced(cases, app, manifest);
    clock.time += HOUR / 2;
    const spares = [await reported(cases, app, 1500), await reported(cases, app, 1500)];
    await upload(cases, app, packageId, { pieces: [wav] });
    const deleted = await Promise.all(spares.map((id) => recordOf(cases, id)));
    expect(deleted.map(({ filesDeleted }) => filesDeleted)).toEqual([true, false]);
  });
});

describe("the relay's disk", () => {
  /** The disk has so many bytes besides what is stored. */
  function onDisk(cases: UseCases, bytes: number): void {
    const { sounds } = cases.context;
    sounds.room = async () => {
      const sizes = await sounds.sizes(await storedKeys(cases));
      return [...sizes.values()].reduce((left, size) => left - size, bytes);
    };
  }

  test("[L12] gets room from spare packages of any computer, and from no other", async () => {
    await using cases = await openUseCases({ minFreeBytes: 0 });
    const others = [proven(await pairedApp(cases)), proven(await pairedApp(cases))];
    const [one, other] = others as [KnownApp, KnownApp];
    const spare = await reported(cases, one, 2000);
    const counts = await reported(cases, other, 2000, {});
    onDisk(cases, 5000);
    const app = proven({ ...(await pairedApp(cases)) });
    const left = (await readRoom(cases.context, app, callingApp(app, "192.0.2.1"))).bytes_left;
    expect(left).toBe(Math.floor(3000 * 0.95));
    await announce(cases, app, soundOf(2000));
    expect((await recordOf(cases, spare)).filesDeleted).toBe(true);
    expect((await recordOf(cases, counts)).filesDeleted).toBe(false);
    await expect(announce(cases, app, soundOf(2000))).rejects.toMatchObject({ status: 507 });
  });

  test("[L12][Z10] gets none during a backup, which deletes nothing", async () => {
    await using cases = await openUseCases({ minFreeBytes: 0 });
    const { upkeep, clock } = cases.context;
    if (upkeep === undefined) throw new Error("The store has upkeep.");
    const app = proven(await pairedApp(cases));
    const spare = await reported(cases, app, 2000);
    onDisk(cases, 2500);
    const read = upkeep.read.bind(upkeep);
    upkeep.read = async () => ({ ...(await read()), holds: [clock.now() + MINUTE] });
    await expect(announce(cases, app, soundOf(2000))).rejects.toMatchObject({ code: "DISK_FULL" });
    expect((await recordOf(cases, spare)).filesDeleted).toBe(false);
  });
});

test("[L11] the app that fills the room is named to others, however long its name", async () => {
  await using cases = await openUseCases({ bytesPerDevice: 3000, waitingPerDevice: 1 });
  const { context } = cases;
  const app = await pairedApp(cases);
  const other = await context.known.app(await pair(cases, app.deviceId, "app-2"));
  const packageId = await sendBytes(cases, app, 2000);
  await expect(announce(cases, other, soundOf(1002))).rejects.toMatchObject({
    code: "DEVICE_FULL",
    message: "Looper fills this computer's room. Import or dismiss its packages.",
    extras: { retryAfterSeconds: HOUR / 1000 },
  });
  await commitPackage(context, app, packageId);
  await expect(announce(cases, other, soundOf(100))).rejects.toMatchObject({
    code: "MANY_WAIT",
    message: "Looper has many packages waiting. Import or dismiss them first.",
    extras: { retryAfterSeconds: DAY / 1000 },
  });
  await expect(announce(cases, app, soundOf(3002))).rejects.toMatchObject({
    code: "MANY_WAIT",
    message: "Many of your packages wait. Import or dismiss them first.",
  });
});
