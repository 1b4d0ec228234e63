import { expect, test } from "vitest";
import { type AdoptableStores, adoptStores } from "../../../../relay/domain/upkeep/adopt-stores.ts";
import { bindStores } from "../../../../relay/domain/upkeep/bind-stores.ts";
import type { Context } from "../../../../relay/domain/context.ts";
import { isBound, quarantines } from "../../../../relay/domain/ports.ts";
import {
  announced,
  bytesOf,
  gather,
  storeSound,
  writeBytes,
} from "../../storage/disk/stored-sounds.ts";
import { openUseCases, pairedApp, recordOf, register, send, storedKeys } from "../use-cases.ts";

function adoptable(context: Context): AdoptableStores {
  const { upkeep, sounds } = context;
  if (upkeep === undefined || !isBound(sounds) || !quarantines(sounds)) {
    throw new Error("SQLite and the disk have all abilities.");
  }
  return { ...context, upkeep, sounds };
}

test("[Z1] leaves alone what belongs together", async () => {
  await using cases = await openUseCases();
  const stores = adoptable(cases.context);
  const id = await bindStores(stores, cases.context.randomBytes);
  await send(cases, await pairedApp(cases));
  await storeSound(stores.sounds, "pkg_u/snd_unknown");
  const before = await storedKeys(cases);
  expect(await adoptStores(stores)).toBeUndefined();
  expect(await storedKeys(cases)).toEqual(before);
  expect(await stores.sounds.readInstance()).toBe(id);
});

test("[Z1] binds what is refused: puts back, quarantines and marks as lost what the records say, once", async () => {
  await using cases = await openUseCases();
  const stores = adoptable(cases.context);
  const { sounds, upkeep } = stores;
  const id = await bindStores(stores, cases.context.randomBytes);
  const packageId = await send(cases, await pairedApp(cases), ["bass.wav", "kick.wav", "pad.wav"]);
  const { uploaded } = await recordOf(cases, packageId);
  const [bass = "", kick = "", pad = ""] = uploaded.values();
  await sounds.delete([bass]);
  await sounds.quarantine([kick], 1);
  await storeSound(sounds, "pkg_u/snd_1", 1000);
  await storeSound(sounds, "pkg_u/snd_2", 500);
  const writer = await sounds.create("pkg_u/unfinished", announced(bytesOf(900)));
  await writeBytes(writer, bytesOf(100));
  await sounds.keepInstance("ins_other");

  expect(await adoptStores(stores)).toEqual({
    instanceId: id,
    putBack: 1,
    quarantined: { sounds: 2, bytes: 1500 },
    lost: [{ packageId, files: new Map([["bass.wav", bass]]) }],
  });
  expect(await storedKeys(cases)).toEqual([kick, pad, "pkg_u/unfinished"].sort());
  const quarantined = await gather(sounds.listQuarantined());
  expect(quarantined.map(({ key }) => key).sort()).toEqual(["pkg_u/snd_1", "pkg_u/snd_2"]);
  expect([...(await recordOf(cases, packageId)).uploaded.keys()]).toEqual(["kick.wav", "pad.wav"]);
  expect(await sounds.readInstance()).toBe(id);
  expect((await upkeep.read()).instance).toEqual({ instanceId: id, isBound: true });
  expect(await adoptStores(stores)).toBeUndefined();
  await writer.discard();
});

test("[Z1] a new database gets a new id, and one that has served keeps that of its sounds", async () => {
  await using cases = await openUseCases();
  const { sounds } = adoptable(cases.context);
  await sounds.keepInstance("ins_before");
  await using fresh = await openUseCases();
  const unused = await adoptStores({ ...adoptable(fresh.context), sounds });
  expect(unused?.instanceId).toMatch(/^ins_/);
  expect(unused?.instanceId).not.toBe("ins_before");

  await sounds.keepInstance("ins_before");
  await using used = await openUseCases();
  await register(used);
  const adopted = await adoptStores({ ...adoptable(used.context), sounds });
  expect(adopted?.instanceId).toBe("ins_before");
});
