import { describe, test } from "vitest";
import { endPending } from "../../../../relay/domain/upkeep/doomed-sounds.ts";
import { quarantines, StoreLostError } from "../../../../relay/domain/ports.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { lookForUnknown } from "../../../../relay/domain/upkeep/quarantine.ts";
import { T0 } from "../../../contracts/relay/records/sample-records.ts";
import { gather } from "../../../contracts/relay/sounds/sounds-case.ts";
import { openUpload, WAV } from "../uploads/open-upload.ts";
import { doomedKeys, recordOf, storedKeys } from "../use-cases.ts";

/** A pending key with a finished sound, as where a process ended before it wrote the record. */
async function finishedUpload() {
  const relay = await openUpload();
  const { cases, packageId } = relay;
  const { sounds, soundKeys } = cases.context;
  if (!quarantines(sounds)) throw new Error("The store has a quarantine.");
  const key = `${packageId}/snd_finished`;
  await soundKeys.addPending(key, T0);
  const writer = await sounds.create(key, { bytes: WAV.byteLength, sha256: "" });
  await writer.write(Uint8Array.from(WAV));
  await writer.finish();
  return {
    ...relay,
    key,
    aside: () => gather(sounds.listQuarantined()),
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

describe.concurrent("a finished sound whose key is pending", () => {
  test("[Z4] is quarantined when its upload is over, and deleted only after its time there", async ({
    expect,
  }) => {
    await using relay = await finishedUpload();
    const { cases, key } = relay;
    await endPending(cases.context, T0 - 1, T0);
    expect(await storedKeys(cases)).toEqual([key]);
    await sweep(cases.context);
    expect(await relay.aside()).toEqual([{ key, bytes: WAV.byteLength, since: T0 }]);
    expect([...(await storedKeys(cases)), ...(await doomedKeys(cases))]).toEqual([]);
    cases.clock.time = T0 + cases.context.policy.quarantineMs;
    await lookForUnknown(cases.context);
    expect(await relay.aside()).toEqual([]);
  });

  test("[Z3] that can't be looked up keeps no doomed one from being deleted", async ({
    expect,
  }) => {
    await using relay = await finishedUpload();
    const { cases, key } = relay;
    const { sounds, soundKeys } = cases.context;
    const doomed = `${relay.packageId}/snd_doomed`;
    await soundKeys.addPending(doomed, 0);
    await soundKeys.doom({ endedBy: 0 });
    sounds.sizes = () => Promise.reject(new Error("The disk fails."));
    await expect(sweep(cases.context)).rejects.toThrow("The disk fails.");
    expect(await doomedKeys(cases)).toEqual([]);
    expect(await storedKeys(cases)).toEqual([key]);
  });

  test("[Z8] doomed sounds are left alone once the database went away", async ({ expect }) => {
    await using relay = await finishedUpload();
    const { soundKeys } = relay.cases.context;
    await soundKeys.doom({ endedBy: T0 });
    const gone = () => Promise.reject(new StoreLostError("The database was replaced."));
    Object.assign(soundKeys, { doom: gone, remove: gone });
    await expect(sweep(relay.cases.context)).rejects.toThrow("was replaced");
    expect(await storedKeys(relay.cases)).toEqual([relay.key]);
  });

  test("[Z4] stays if it becomes part of its package in the meantime", async ({ expect }) => {
    await using relay = await finishedUpload();
    const { cases, key, packageId } = relay;
    const { soundKeys, packages } = cases.context;
    const remove = async (keys: readonly string[]) => {
      const { deviceId, manifest } = await recordOf(cases, packageId);
      const [sound] = manifest.items;
      if (sound === undefined) throw new Error("The package has a sound.");
      const received = { address: "192.0.2.1", bytes: sound.bytes, at: T0 };
      const arrived = { sound, key, received, arrivedAt: T0 };
      await packages.addFile({ packageId, deviceId, roomUntil: 0, ...arrived });
      await soundKeys.remove(keys);
    };
    const rival = Object.assign(Object.create(soundKeys), { remove });
    await endPending({ ...cases.context, soundKeys: rival }, T0, T0);
    await sweep(cases.context);
    expect(await storedKeys(cases)).toEqual([key]);
  });
});
