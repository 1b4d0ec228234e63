import { MemoryDatabase, MemoryRecords } from "../../../examples/stores/memory-records.ts";
import { MemoryNotifier } from "../../../relay/notify/memory-notifier.ts";
import type { StoreUnderTest } from "../../../relay/testing/contract.ts";
import type { NotifyingProcess } from "../../../relay/testing/notifier/notifier-case.ts";

/** Processes on one memory database. What one changes makes the others look again. */
export async function makeMemoryProcesses(): Promise<StoreUnderTest<NotifyingProcess>> {
  const database = new MemoryDatabase();
  let devices = 0;
  return {
    open: async () => {
      const { pairings, changes } = new MemoryRecords(database);
      const notifier = new MemoryNotifier(() => undefined);
      const stop = changes.watch(() => notifier.missed());
      return {
        notifier,
        change: async () => {
          devices += 1;
          const [deviceId, deviceName] = [`device-${devices}`, "Studio"];
          const [registeredAt, lastSeenAt] = [0, 0];
          const device = { deviceId, deviceName, registeredAt, lastSeenAt };
          await pairings.insertDevice(device, `token of ${deviceId}`);
        },
        [Symbol.asyncDispose]: async () => stop(),
      };
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
