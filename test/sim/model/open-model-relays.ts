import { MemoryDatabase, MemoryRecords } from "../../../docs/examples/stores/memory-records.ts";
import { MemoryDisk, MemorySounds } from "../../../docs/examples/stores/memory-sounds.ts";
import { openUseCases, type UseCases } from "../../relay/domain/use-cases.ts";
import { SetClock } from "../../relay/set-clock.ts";
import { contextOf } from "../context-of.ts";

/** Limits that no life reaches. */
const MANY = 1_000_000;
const POLICY = {
  packagesPerHour: MANY,
  waitingPerDevice: MANY,
  pairingTriesPerMinute: MANY,
  bytesPerDevice: Infinity,
  bytesPerAddressPerDay: Infinity,
};

/** The relay's use cases on its own SQL, in memory, and on disk. */
export function openOnDisk(): Promise<UseCases> {
  return openUseCases(POLICY);
}

/** The relay's use cases on the example of a store in memory: for very many steps. */
export async function openInMemory(): Promise<UseCases> {
  const { pairings, packages, soundKeys, changes } = new MemoryRecords(new MemoryDatabase());
  const clock = new SetClock();
  const sounds = new MemorySounds(new MemoryDisk());
  const context = contextOf({ pairings, packages, soundKeys, changes, sounds, clock }, POLICY);
  return { context, clock, notified: [], [Symbol.asyncDispose]: async () => {} };
}
