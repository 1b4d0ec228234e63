import { MemoryDatabase, MemoryRecords } from "../../docs/examples/stores/memory-records.ts";
import { MemoryDisk, MemorySounds } from "../../docs/examples/stores/memory-sounds.ts";
import type { RelayOptions } from "../../relay/build-relay.ts";
import type { Notifier, RecordStore } from "../../relay/domain/ports.ts";
import { RunningRelay } from "./running-relay.ts";

/** A relay on stores in memory, and a second process's view of its records. */
export async function startOnMemory(
  options: Omit<RelayOptions, "log"> = {},
  settings: Record<string, string> = {},
): Promise<{ readonly relay: RunningRelay; readonly other: RecordStore }> {
  const database = new MemoryDatabase();
  const records = new MemoryRecords(database);
  const sounds = new MemorySounds(new MemoryDisk());
  const ports = { records, sounds, ...options.ports };
  const relay = await RunningRelay.start(settings, { ...options, ports });
  return { relay, other: new MemoryRecords(database) };
}

/** A notifier that loses every notification for ever, and tells nobody. */
export const DEAF: Notifier = {
  notify: async () => undefined,
  listen: () => () => undefined,
  missed: () => undefined,
};
