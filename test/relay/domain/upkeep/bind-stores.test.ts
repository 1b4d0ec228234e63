import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { InstanceMismatch } from "../../../../relay/domain/upkeep/instance-mismatch.ts";
import {
  type BindableStores,
  bindableStores,
  bindStores,
  refuseMismatch,
} from "../../../../relay/domain/upkeep/bind-stores.ts";
import { quarantines } from "../../../../relay/domain/ports.ts";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { systemRandomBytes } from "../../../../relay/storage/system.ts";
import { PowerCutDisk } from "../../storage/disk/power-cut-disk.ts";
import { storeSound } from "../../storage/disk/stored-sounds.ts";
import { sqliteInMemory } from "../sqlite-in-memory.ts";
import { openUseCases } from "../use-cases.ts";

/** Binds, except that the call of this number fails, and every later one: those of database and disk are counted. */
async function bindUntil(fatal: number, disk: PowerCutDisk, upkeep: BindableStores["upkeep"]) {
  let calls = Number.NEGATIVE_INFINITY;
  const step = () => {
    calls += 1;
    if (calls >= fatal) throw new Error("The power is cut.");
  };
  const sounds = await DiskSoundStore.open(disk.path, disk.process(step));
  calls = 0;
  const keep: BindableStores["upkeep"]["keep"] = async (state) => {
    step();
    await upkeep.keep(state);
  };
  await bindStores({ upkeep: { ...upkeep, keep }, sounds }, systemRandomBytes).catch(
    () => undefined,
  );
  return { isWhole: calls < fatal };
}

test.each([true, false])(
  "[Z1] a power cut at any point of binding is healed by the next start (sounds there: %s)",
  async (holdsSounds) => {
    for (let fatal = 1; ; fatal += 1) {
      await using disk = await PowerCutDisk.create();
      const { upkeep, close, pairings } = sqliteInMemory();
      if (holdsSounds) {
        await storeSound(await DiskSoundStore.open(disk.path, disk.process()), "pkg_1/snd_1", 9);
        await pairings.insertDevice(
          { deviceId: "dev_1", deviceName: "Studio", registeredAt: 0, lastSeenAt: 0 },
          "hash",
        );
      }
      const { isWhole } = await bindUntil(fatal, disk, upkeep);
      const written = (await upkeep.read()).instance;
      await disk.powerCut(fatal % 2 === 0 ? "flushed" : "all");
      const sounds = await DiskSoundStore.open(disk.path, disk.process());
      const instanceId = await bindStores({ upkeep, sounds }, systemRandomBytes);
      if (written !== undefined) expect(instanceId).toBe(written.instanceId);
      expect((await upkeep.read()).instance).toEqual({ instanceId, isBound: true });
      expect(await sounds.readInstance()).toBe(instanceId);
      const marker = await readFile(join(disk.path, "sounds", "instance"), "utf8");
      expect(marker).toBe(`${instanceId}\n`);
      expect((await readdir(join(disk.path, "sounds"))).includes("pkg_1")).toBe(holdsSounds);
      close();
      if (isWhole) {
        expect(fatal).toBeGreaterThan(8);
        return;
      }
    }
  },
);

test("[Z1] refuses sounds of another instance, before and with a database, and changes nothing", async () => {
  await using cases = await openUseCases();
  const { upkeep, sounds, randomBytes } = cases.context;
  const stores = bindableStores(cases.context);
  if (stores === undefined) throw new Error("SQLite and the disk can both.");
  expect(bindableStores({ upkeep: undefined, sounds })).toBeUndefined();
  expect(bindableStores({ upkeep, sounds: Object.create(null) })).toBeUndefined();

  await expect(refuseMismatch(undefined, stores.sounds)).resolves.toBeUndefined();
  await bindStores(stores, randomBytes);
  await stores.sounds.keepInstance("ins_other");
  const before = await stores.upkeep.read();
  await expect(refuseMismatch(undefined, stores.sounds)).rejects.toThrow(InstanceMismatch);
  await expect(bindStores(stores, randomBytes)).rejects.toThrow(InstanceMismatch);
  expect(await stores.upkeep.read()).toEqual(before);
  expect(await stores.sounds.readInstance()).toBe("ins_other");
});

test("[Z1] sounds in the quarantine alone are sounds, too", async () => {
  await using cases = await openUseCases();
  const { sounds } = cases.context;
  const stores = bindableStores(cases.context);
  if (stores === undefined || !quarantines(sounds)) throw new Error("SQLite and the disk can.");
  await storeSound(sounds, "pkg_1/snd_1");
  await sounds.quarantine(["pkg_1/snd_1"], 1);
  await expect(refuseMismatch(undefined, stores.sounds)).rejects.toThrow(InstanceMismatch);
});
