import { createHash } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { InstanceMismatch } from "../../../relay/domain/upkeep/instance-mismatch.ts";
import { adoptRelay, checkRelay } from "../../../relay/operating/on-stores.ts";
import { openActions, openView } from "../../../relay/operating/open-operated.ts";
import { sharedSwift } from "../../engines/shared-engines.ts";
import { smallWav } from "../../wav-bytes.ts";
import { RunningRelay } from "../running-relay.ts";
import { emptyTarget, relayToMove, sumOf } from "./moving-relay.ts";

test("[AD1][SC21] an operator sees and changes the same in PostgreSQL", async () => {
  const moved = await relayToMove();
  const { move, settings, target } = await emptyTarget();
  const old = await openView({ dataFolder: moved.folder });
  onTestFinished(() => old[Symbol.asyncDispose]());
  const page = { limit: 50 };
  await move(moved.folder);
  const view = await openView(settings);
  onTestFinished(() => view[Symbol.asyncDispose]());
  expect(await view.listDevices(page)).toEqual(await old.listDevices(page));
  expect(await view.listApps(page)).toEqual(await old.listApps(page));
  expect(await view.listPackages(page)).toEqual(await old.listPackages(page));
  expect(await view.readStats()).toEqual({ ...(await old.readStats()), disk_free_bytes: null });

  const actions = await openActions(settings, { who: "anna" });
  onTestFinished(() => actions[Symbol.asyncDispose]());
  const { deviceId } = moved.importer;
  const before = await old.exportDevice(deviceId, 0);
  expect((await view.exportDevice(deviceId, 0))?.sounds).toEqual(before?.sounds);
  expect(await actions.block({ subject: "192.0.2.1", kind: "address" }, true)).toBe(true);
  expect(await actions.block({ subject: "192.0.2.1", kind: "address" }, true)).toBe(false);
  expect(await actions.turn("claims", true, "Later.")).toBe(true);
  const sum = createHash("sha256").update(smallWav()).digest("hex");
  expect(await actions.deny(sum)).toMatchObject({ isNew: true, waiting: 0 });
  expect(await actions.allow(sum)).toBe(true);
  expect(await actions.purge(moved.waiting)).toMatchObject({ waiting: 0 });
  expect(await actions.revoke(deviceId)).toBeDefined();
  expect(await actions.erase(deviceId)).toMatchObject({ waiting: 0 });
  const { items } = await view.listOperations(page);
  expect(items.map(({ action }) => action)).toEqual([
    "erase",
    "revoke",
    "purge",
    "allow",
    "deny",
    "switch off",
    "block",
  ]);
  expect(await checkRelay(settings, {})).toMatchObject({ lost: [], unknown: [], doomedCount: 0 });
  const [planted] = ["pkg_foreign/snd_1"];
  const writer = await target.sounds.create(planted ?? "", {
    bytes: smallWav().length,
    sha256: sum,
  });
  await writer.write(smallWav());
  await writer.finish();
  expect((await checkRelay(settings, {})).unknown.map(({ key }) => key)).toEqual([planted]);
});

async function movedRelay() {
  const moved = await relayToMove();
  const target = await emptyTarget();
  await target.move(moved.folder);
  return { ...moved, ...target };
}

async function start(environment: Record<string, string>): Promise<RunningRelay> {
  const relay = await RunningRelay.start(environment, { hasOwnClock: true });
  onTestFinished(() => relay[Symbol.asyncDispose]());
  return relay;
}

test("[Z9] a repair on PostgreSQL and S3 quarantines the unknown, and says what is lost", async () => {
  const { target, settings, environment, token, importer, waiting } = await movedRelay();
  const unknown = "pkg_foreign/snd_1";
  const wav = smallWav();
  const announced = { bytes: wav.length, sha256: sumOf(wav) };
  const writer = await target.sounds.create(unknown, announced);
  await writer.write(wav);
  await writer.finish();
  const uploaded = (await target.records.packages.find(waiting))?.uploaded ?? new Map();
  const lost = uploaded.get("kick.wav") ?? "";
  await target.sounds.delete([lost]);

  const found = await checkRelay(settings, {});
  expect(found.unknown.map(({ key }) => key)).toEqual([unknown]);
  expect(found.lost.map(({ packageId }) => packageId)).toEqual([waiting]);
  const { repairs } = await checkRelay(settings, { isRepairing: true });
  expect(repairs?.markedLost.map(({ packageId }) => packageId)).toEqual([waiting]);
  const after = await checkRelay(settings, {});
  expect(after).toMatchObject({ unknown: [], lost: [] });
  expect(after.quarantined.map(({ key }) => key)).toEqual([unknown]);

  const relay = await start(environment);
  expect((await relay.status(token, waiting)).files).toMatchObject({ "kick.wav": "missing" });
  const of = (file: string) => `/importer/packages/${waiting}/files/${file}`;
  expect((await relay.call("GET", of("kick.wav"), importer)).json.code).toBe("SOUND_LOST");
  expect((await relay.call("GET", of("pad.wav"), importer)).status).toBe(200);
});

test("[Z1] a relay on PostgreSQL whose bucket was exchanged starts again once it is adopted", async () => {
  const { settings, environment, token, waiting } = await movedRelay();
  const bucket = await sharedSwift().createBucket();
  const exchanged = { ...environment, SOUNDFERRY_S3_BUCKET: bucket };
  await expect(RunningRelay.start(exchanged)).rejects.toThrow(InstanceMismatch);
  const adoption = await adoptRelay({ ...settings, s3Bucket: bucket });
  expect(adoption?.lost.map(({ packageId }) => packageId)).toContain(waiting);
  const relay = await start(exchanged);
  const { files } = await relay.status(token, waiting);
  expect(Object.values(files)).toEqual(["missing", "missing"]);
  expect(await adoptRelay({ ...settings, s3Bucket: bucket })).toBeUndefined();
});
