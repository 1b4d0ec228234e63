import { hash, randomBytes } from "node:crypto";
import type { Digest, RandomBytes, RelayClock, StoreUpkeep } from "../domain/ports.ts";
import { startHash } from "../../program/hashing/start-hash.ts";
import { SteadyClock, type TimeSources } from "./steady-clock.ts";

const SYSTEM_TIME: TimeSources = { wall: () => Date.now(), monotonic: () => performance.now() };

/** The machine's clock, which never goes back. It remembers nothing of earlier processes. */
export const systemClock = new SteadyClock(SYSTEM_TIME);

/** The monotonic clock in milliseconds, for whatever must not notice that the wall clock is set. */
export const runningTime: Pick<RelayClock, "now"> = { now: SYSTEM_TIME.monotonic };

/** Opens the machine's clock for one relay. It continues from the database's kept time (rule Z6). */
export async function openSystemClock(
  upkeep: StoreUpkeep | undefined,
  { proofMs, sources = SYSTEM_TIME }: { readonly proofMs: number; readonly sources?: TimeSources },
): Promise<SteadyClock> {
  const kept = await upkeep?.read();
  const keptTime = kept?.wasTimeReset === true ? undefined : kept?.time;
  return new SteadyClock(sources, { keptTime, proofMs });
}

/** The operating system's random bytes. */
export const systemRandomBytes: RandomBytes = (count) => randomBytes(count);

/** SHA-256, computed by OpenSSL: of large sounds in a thread of its own. */
export const systemDigest: Digest = {
  ofText: (text) => hash("sha256", text, "hex"),
  ofBytes: (bytes) => hash("sha256", bytes, "hex"),
  start: startHash,
};
