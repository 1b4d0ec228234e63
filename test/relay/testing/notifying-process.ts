import type { Records } from "../../../relay/domain/ports.ts";
import { MemoryNotifier } from "../../../relay/notify/memory-notifier.ts";
import type { NotifyingProcess } from "../../contracts/relay/index.ts";

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
