import type { StartHash } from "../../core/audio/running-hash.ts";
import type {
  Ballast,
  OperatorRecords,
  StoreChanges,
  StoreUpkeep,
  StoreWrites,
} from "./ports/database.ts";
import type { RelayClock } from "./ports/clock.ts";
import type { Limits } from "./ports/limits.ts";
import type { Notifier } from "./ports/notifier.ts";
import type { PackageRecords } from "./ports/package-records.ts";
import type { PairingRecords } from "./ports/pairing-records.ts";
import type { SoundKeys } from "./ports/sound-keys.ts";
import type { SoundStore } from "./ports/sound-store.ts";

// Everything a use case needs from the outside world. Each port states both sides' duties, and test/contracts/relay/
// has its contract suite.

export * from "./ports/clock.ts";
export * from "./ports/database.ts";
export type * from "./ports/limits.ts";
export type * from "./ports/notifier.ts";
export type * from "./ports/package-records.ts";
export type * from "./ports/pairing-records.ts";
export type * from "./ports/room.ts";
export * from "./ports/sound-keys.ts";
export * from "./ports/sound-store.ts";
export * from "./ports/store-errors.ts";

/** The content of one database. Its parts share transactions, so they are replaced only together. */
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
  /** The database's knowledge of itself, if it has this ability. */
  readonly upkeep?: StoreUpkeep | undefined;
  /** The database's signal of the same name. */
  readonly broken?: AbortSignal | undefined;
  /** The id of the instance that database and sounds belong to, if both can remember it (rule Z1). */
  readonly instanceId?: string | undefined;
  /** The space that the database keeps aside for a full disk, if it has this ability. */
  readonly ballast?: Ballast | undefined;
  /** The progress of the database's writes, if it reports it. */
  readonly writes?: StoreWrites | undefined;
  /** The operator's decisions, if the database can keep them. */
  readonly operatorRecords?: OperatorRecords | undefined;
  readonly randomBytes: RandomBytes;
  readonly digest: Digest;
}

/** Returns cryptographically strong random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** SHA-256. */
export interface Digest {
  /** Returns the lowercase hex of the text's UTF-8. */
  ofText(text: string): string;
  ofBytes(bytes: Uint8Array): string;
  /** Hashes bytes piece by piece: many without blocking the event loop. */
  readonly start: StartHash;
}
