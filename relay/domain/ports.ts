import type { RelayClock } from "./ports/clock.ts";
import type { Digest, RandomBytes } from "./ports/digest.ts";
import type { Limits } from "./ports/limits.ts";
import type { Notifier } from "./ports/notifier.ts";
import type { PackageRecords } from "./ports/package-records.ts";
import type { PairingRecords } from "./ports/pairing-records.ts";
import type { SoundKeys } from "./ports/sound-keys.ts";
import type { SoundStore } from "./ports/sound-store.ts";
import type { StoreChanges } from "./ports/store-changes.ts";

// Everything a use case needs from the outside world. Each port states both sides' duties, and relay/testing/
// has its contract suite.

/** What one database holds. Its parts share transactions, so they are replaced only together. */
export interface Records {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly soundKeys: SoundKeys;
  readonly changes: StoreChanges;
}

/** A database. If it has a clock of its own, that is the relay's time. */
export interface RecordStore extends Records {
  readonly clock?: RelayClock;
}

export interface Ports extends Records {
  readonly sounds: SoundStore;
  readonly notifier: Notifier;
  readonly limits: Limits;
  readonly clock: RelayClock;
  readonly randomBytes: RandomBytes;
  readonly digest: Digest;
}

export type * from "./ports/clock.ts";
export type * from "./ports/digest.ts";
export type * from "./ports/limits.ts";
export type * from "./ports/notifier.ts";
export type * from "./ports/package-records.ts";
export type * from "./ports/pairing-records.ts";
export type * from "./ports/sound-keys.ts";
export type * from "./ports/store-changes.ts";
export * from "./ports/sound-store.ts";
