import type { SoundStoreUnderTest } from "../../../contracts/relay/sounds/sounds-case.ts";
import { DiskSoundStore } from "../../../../relay/storage/disk/disk-sound-store.ts";
import { PowerCutDisk } from "./power-cut-disk.ts";

/** A disk for the contract suite of sound stores. Each instance is a process of its own. */
export async function diskSoundsUnderTest(): Promise<SoundStoreUnderTest<DiskSoundStore>> {
  const disk = await PowerCutDisk.create();
  return {
    open: async () => {
      const process = disk.process();
      const sounds = await DiskSoundStore.open(disk.path, process);
      return Object.assign(sounds, { [Symbol.asyncDispose]: () => process.end() });
    },
    powerCut: () => disk.powerCut(),
    [Symbol.asyncDispose]: () => disk[Symbol.asyncDispose](),
  };
}
