import { expect, test } from "vitest";
import { removeDevice } from "../../../../relay/domain/pairing/devices.ts";
import { unpairApp, unpairToken } from "../../../../relay/domain/pairing/unpair.ts";
import { withdraw } from "../../../../relay/domain/packages/withdraw-package.ts";
import { quarantines, StoreFullError } from "../../../../relay/domain/ports.ts";
import { sweep } from "../../../../relay/domain/upkeep/sweep.ts";
import { T0 } from "../../../contracts/relay/records/sample-records.ts";
import { gather } from "../../../contracts/relay/sounds/sounds-case.ts";
import { withFaults } from "../faulty-ports.ts";
import { openUpload, WAV } from "../uploads/open-upload.ts";
import { storedKeys } from "../use-cases.ts";

type Opened = Awaited<ReturnType<typeof openAside>>;

/** A package with an uploaded sound, and another one in the quarantine. */
async function openAside() {
  const relay = await openUpload();
  await relay.put();
  const { sounds, soundKeys } = relay.cases.context;
  if (!quarantines(sounds)) throw new Error("The store has a quarantine.");
  const key = `${relay.packageId}/snd_aside`;
  const writer = await sounds.create(key, { bytes: WAV.byteLength, sha256: "" });
  await writer.write(Uint8Array.from(WAV));
  await writer.finish();
  await sounds.quarantine([key], T0);
  return {
    ...relay,
    sounds,
    aside: async () => (await gather(sounds.listQuarantined())).map((one) => one.key),
    recorded: () => soundKeys.list({ state: "doomed", limit: 9 }),
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

const WAYS: Record<string, (relay: Opened, context: Opened["cases"]["context"]) => unknown> = {
  withdrawing: ({ app, packageId }, context) => withdraw(context, app, packageId),
  "unpairing by the app": ({ app }, context) => unpairToken(context, app),
  "unpairing by the person": ({ app }, context) => unpairApp(context, app.deviceId, app.pairingId),
  "removing the computer": ({ app }, context) => removeDevice(context, app.deviceId),
};

/** The same stores, with a sound store whose every call does this. */
function withSounds({ cases, sounds }: Opened, act: () => Promise<never>) {
  const fail = () => act();
  const list = () => {
    return { [Symbol.asyncIterator]: () => ({ next: fail }) };
  };
  const broken = { create: fail, open: fail, sizes: fail, delete: fail, quarantine: fail };
  const lists = { list, listQuarantined: list };
  const own = Object.create(sounds, {});
  return { ...cases.context, sounds: Object.assign(own, broken, lists) };
}

test.for(Object.keys(WAYS))(
  "[Z14] %s is done while the sounds' service is away, and a sweep deletes what is left",
  async (way) => {
    await using relay = await openAside();
    const away = withSounds(relay, () => Promise.reject(new Error("The service is away.")));
    await WAYS[way]?.(relay, away);
    expect(await away.packages.find(relay.packageId)).toBeUndefined();
    expect(await relay.recorded()).toHaveLength(2);
    await expect(sweep(away)).rejects.toThrow();
    expect([await storedKeys(relay.cases), await relay.aside()].flat()).toHaveLength(2);
    await sweep(relay.cases.context);
    expect([await storedKeys(relay.cases), await relay.aside(), await relay.recorded()]).toEqual([
      [],
      [],
      [],
    ]);
  },
);

test("[Z14] no call waits for a service that is silent", async () => {
  const silent = Object.keys(WAYS).map(async (way) => {
    await using relay = await openAside();
    const context = withSounds(relay, () => new Promise<never>(() => {}));
    await WAYS[way]?.(relay, context);
    expect(await context.packages.find(relay.packageId)).toBeUndefined();
    await sweep(relay.cases.context);
    expect([await storedKeys(relay.cases), await relay.aside()].flat()).toEqual([]);
  });
  await Promise.all(silent);
});

test("[Z4] a withdrawal erases the quarantine though the database is full then", async () => {
  await using relay = await openAside();
  const fail = () => Promise.reject(new StoreFullError("The disk is full."));
  const { soundKeys } = relay.cases.context;
  const context = { ...relay.cases.context, soundKeys: { ...soundKeys, remove: fail } };
  await withdraw(context, relay.app, relay.packageId);
  expect(await context.packages.find(relay.packageId)).toBeUndefined();
  expect([await storedKeys(relay.cases), await relay.aside()].flat()).toEqual([]);
});

test("[Z14] a sound that the quarantine has, and that a record knows again, stays", async () => {
  await using relay = await openAside();
  const [key = ""] = await relay.aside();
  const { context } = withFaults(relay.cases, {});
  await context.soundKeys.addPending(key, T0);
  await withdraw(relay.cases.context, relay.app, relay.packageId);
  expect(await relay.aside()).toEqual([key]);
});
