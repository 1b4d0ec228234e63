import type { Ballast } from "./ports/ballast.ts";
import type { RelayClock } from "./ports/clock.ts";
import type { Digest, RandomBytes } from "./ports/digest.ts";
import type { Limits } from "./ports/limits.ts";
import type { Notifier } from "./ports/notifier.ts";
import type { OperatorRecords } from "./ports/operator-records.ts";
import type { PackageRecords } from "./ports/package-records.ts";
import type { PairingRecords } from "./ports/pairing-records.ts";
import type { SoundKeys } from "./ports/sound-keys.ts";
import type { SoundStore } from "./ports/sound-store.ts";
import type { StoreChanges } from "./ports/store-changes.ts";
import type { StoreUpkeep } from "./ports/store-upkeep.ts";
import type { StoreWrites } from "./ports/store-writes.ts";

// Everything a use case needs from the outside world. Each port states both sides' duties, and test/contracts/relay/
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
  readonly upkeep?: StoreUpkeep;
  /** Aborts with a `StoreLostError` once the store can never be used again; the relay then ends (rule Z8). */
  readonly broken?: AbortSignal;
  readonly ballast?: Ballast;
  readonly writes?: StoreWrites;
  readonly operatorRecords?: OperatorRecords;
}

export interface Ports extends Records {
  readonly sounds: SoundStore;
  readonly notifier: Notifier;
  readonly limits: Limits;
  readonly clock: RelayClock;
  /** What the database remembers of itself, if it can. */
  readonly upkeep?: StoreUpkeep | undefined;
  /** The database's. */
  readonly broken?: AbortSignal | undefined;
  /** The id of the instance that database and sounds belong to, if both can remember it (rule Z1). */
  readonly instanceId?: string | undefined;
  /** What the database keeps aside for a full disk, if it can. */
  readonly ballast?: Ballast | undefined;
  /** How the database's writes get on, if it tells. */
  readonly writes?: StoreWrites | undefined;
  /** What an operator decided, if the database can keep it. */
  readonly operatorRecords?: OperatorRecords | undefined;
  readonly randomBytes: RandomBytes;
  readonly digest: Digest;
}

export * from "./ports/clock.ts";
export type * from "./ports/digest.ts";
export type * from "./ports/limits.ts";
export type * from "./ports/notifier.ts";
export * from "./ports/operator-records.ts";
export type * from "./ports/package-records.ts";
export type * from "./ports/ballast.ts";
export type * from "./ports/pairing-records.ts";
export type * from "./ports/pairing-requests.ts";
export * from "./ports/sound-keys.ts";
export type * from "./ports/store-changes.ts";
export type * from "./ports/store-upkeep.ts";
export type * from "./ports/store-writes.ts";
export * from "./ports/sound-store.ts";
export * from "./ports/sound-upkeep.ts";
export * from "./ports/store-errors.ts";
