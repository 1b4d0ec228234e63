import { MemoryDatabase, MemoryRecords } from "../../../docs/examples/stores/memory-records.ts";
import { MemoryDisk, MemorySounds } from "../../../docs/examples/stores/memory-sounds.ts";
import type { Records, RecordStore } from "../../../relay/domain/ports.ts";
import { MemoryNotifier } from "../../../relay/notify/memory-notifier.ts";
import type { StoreUnderTest } from "../../contracts/relay/contract.ts";
import type { NotifyingProcess } from "../../contracts/relay/index.ts";
import type { SoundStoreUnderTest } from "../../contracts/relay/sounds/sounds-case.ts";

/** An empty memory store for a contract suite. */
export async function makeMemoryRecords(): Promise<StoreUnderTest<RecordStore>> {
  const database = new MemoryDatabase();
  return {
    open: async () => new MemoryRecords(database),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** The example's sound store. A power cut keeps its finished sounds, and nothing of the others. */
export async function makeMemorySounds(): Promise<SoundStoreUnderTest> {
  let disk = new MemoryDisk();
  return {
    open: async () => Object.assign(new MemorySounds(disk), { [Symbol.asyncDispose]: noop }),
    powerCut: async () => {
      const { finished } = disk;
      disk = new MemoryDisk();
      for (const [key, bytes] of finished) disk.finished.set(key, bytes);
    },
    [Symbol.asyncDispose]: noop,
  };
}

async function noop(): Promise<void> {}

/** A process with its own notifier, which learns from the records that another process changed something. */
export function notifyingProcess({ pairings, changes }: Records): NotifyingProcess & Disposable {
  const notifier = new MemoryNotifier(() => undefined);
  const stop = changes.watch(() => notifier.missed());
  return {
    notifier,
    change: async () => {
      const deviceId = `device ${crypto.randomUUID()}`;
      const device = { deviceId, deviceName: "Studio", registeredAt: 0, lastSeenAt: 0 };
      await pairings.insertDevice(device, `token of ${deviceId}`);
    },
    [Symbol.dispose]: stop,
  };
}

/** Processes on one memory database. */
export async function makeMemoryProcesses(): Promise<StoreUnderTest<NotifyingProcess>> {
  const database = new MemoryDatabase();
  return {
    open: async () => {
      const process = notifyingProcess(new MemoryRecords(database));
      const end = async () => process[Symbol.dispose]();
      return Object.assign(process, { [Symbol.asyncDispose]: end });
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
