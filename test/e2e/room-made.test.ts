import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { importerAtWork } from "../addon/importer-at-work.ts";
import { connected } from "../addon/named-relays.ts";
import { manifestOf } from "../manifest-of.ts";
import { RunningRelay } from "../relay/running-relay.ts";
import { until } from "../sim/until.ts";
import { smallWav } from "../wav-bytes.ts";

const SIZE = smallWav().byteLength;
const KIT = ["kick.wav", "snare.wav"];

/** An importer, and an app, at a relay that has room for three sounds of the computer. */
async function withRoomForThree() {
  const settings = { SOUNDFERRY_BYTES_PER_DEVICE: String(3 * SIZE) };
  const relay = await RunningRelay.start(settings);
  onTestFinished(() => relay[Symbol.asyncDispose]());
  const work = await connected(relay.url);
  const token = await relay.claim((await work.importer.pairingCode()).code);
  const announce = async () => {
    const body = manifestOf(KIT);
    return (await relay.call("POST", "/packages", { token, body })).json.code ?? "announced";
  };
  return { relay, token, announce, ...work };
}

test("[L12][F10] what was imported makes room, and is imported again from the sounds folder", async () => {
  const { relay, token, announce, importer, session, settings } = await withRoomForThree();
  const packageId = await relay.send(token, KIT);
  await until(() => importer.state.packages.length === 1);
  expect(await announce()).toBe("DEVICE_FULL");
  await importer.import(packageId);
  expect(await announce()).toBe("announced");
  expect(await relay.status(token, packageId)).toMatchObject({
    status: "imported",
    results: { 1: { status: "imported", path: "Kit/kick.wav" } },
  });
  await until(() => importer.state.packages.length === 0);
  expect((await importer.import(packageId, { again: true })).status).toBe("imported");
  expect((await session()).tracks).toHaveLength(4);

  await rm(join(settings.soundsFolder, "Kit"), { recursive: true });
  await expect(importer.import(packageId, { again: true })).rejects.toThrow(
    `The relay has no package ${packageId} for this computer.`,
  );
});

test("[L12] a sound that is no longer in the sounds folder when the report is sent keeps its package counting", async () => {
  const { relay, token, announce, importer, settings } = await withRoomForThree();
  const packageId = await relay.send(token, KIT);
  await until(() => importer.state.packages.length === 1);
  const report = relay.relay.context.packages.update.bind(relay.relay.context.packages);
  relay.relay.context.packages.update = async (record) => {
    if (record.results !== null) throw new Error("The relay stores no report now.");
    return report(record);
  };
  await importer.import(packageId);
  await rm(join(settings.soundsFolder, "Kit", "kick.wav"));
  relay.relay.context.packages.update = report;
  await importer.packages();
  expect(await relay.status(token, packageId)).toMatchObject({ status: "imported" });
  expect(await announce()).toBe("DEVICE_FULL");
});

test("[L12][R12] what was dismissed makes room; an import that finds it gone says so at once", async () => {
  const { relay, token, announce, importer, folder } = await withRoomForThree();
  const packageId = await relay.send(token, KIT);
  await until(() => importer.state.packages.length === 1);
  await importer.dismiss(packageId);
  await importer.close();
  // An importer that gets no notifications has an old list.
  const unaware = await importerAtWork(relay.url, { folder });
  expect((await unaware.importer.packages()).packages).toHaveLength(1);
  expect(await announce()).toBe("announced");
  expect(await relay.status(token, packageId)).toMatchObject({ status: "failed" });
  await expect(unaware.importer.import(packageId)).rejects.toThrow(
    "This package has expired. Send it again.",
  );
});

test("[P7][A3] unpairing by the person deletes what waits, and says before how much that is", async () => {
  const { relay, token, announce, importer } = await withRoomForThree();
  await relay.send(token, KIT);
  await until(() => importer.state.packages.length === 1);
  expect(await announce()).toBe("DEVICE_FULL");
  const [app] = (await importer.apps()).apps;
  expect(app?.waiting_packages).toBe(1);
  await importer.unpair(app?.pairing_id ?? "");
  await until(() => importer.state.packages.length === 0);
  const again = await relay.claim((await importer.pairingCode()).code);
  const body = manifestOf(KIT);
  expect((await relay.call("POST", "/packages", { token: again, body })).status).toBe(201);
});
