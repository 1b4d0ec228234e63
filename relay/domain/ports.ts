import type { AnnouncedManifest } from "../../core/manifest/manifest.ts";
import type { PackageLife } from "../../core/protocol/package-state.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import type { Notifier } from "./notifier.ts";
import type { Limits } from "./limits.ts";

/** Everything a use case needs from the outside world. */
export interface Ports {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly sounds: SoundStore;
  readonly notifier: Notifier;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly digest: Digest;
}

export type { Notifier, Limits };

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

/** Cryptographically strong random bytes. */
export type RandomBytes = (count: number) => Uint8Array;

/** SHA-256. */
export interface Digest {
  /** Lowercase hex of the text's UTF-8. */
  ofText(text: string): string;
  ofBytes(bytes: Uint8Array): string;
  /** Hashes bytes piece by piece. `hex` finishes the hash. */
  start(): { update(piece: Uint8Array): void; hex(): string };
}

/** One computer with one importer. */
export interface DeviceRecord {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly registeredAt: number;
  readonly lastSeenAt: number;
}

/** One app on one device. Packages and the hourly limit belong to (device, app id). */
export interface PairingRecord {
  readonly pairingId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  /** When the app was last paired. */
  readonly pairedAt: number;
  readonly lastSeenAt: number;
}

/** The app that a token belongs to. */
export interface AppTokenRecord extends PairingRecord {
  readonly deviceName: string;
}

/**
 * Devices, pairing codes, pairings and tokens.
 *
 * The adapter makes every method atomic. A method that changes something resolves only once the change is
 * durable, and every later call sees it. Tokens and codes arrive as SHA-256 and are stored only as that.
 * The caller passes unique ids and takes every time from one clock.
 */
export interface PairingRecords {
  insertDevice(device: DeviceRecord, tokenHash: string): Promise<void>;
  findDeviceByToken(tokenHash: string): Promise<DeviceRecord | undefined>;
  renameDevice(deviceId: string, deviceName: string): Promise<void>;
  /** Deletes the device with its tokens, codes, pairings and packages. Returns the keys of its sounds. */
  removeDevice(deviceId: string): Promise<readonly string[]>;
  /** Devices last seen before `time`. */
  listDevicesUnseenSince(time: number): Promise<readonly string[]>;

  /** Replaces the device's code. Returns false, unchanged, if another's valid code has the same hash. */
  putCode(code: {
    readonly deviceId: string;
    readonly codeHash: string;
    readonly expiresAt: number;
    readonly now: number;
  }): Promise<boolean>;
  /** Deletes the device's code, if it has one. */
  removeCode(deviceId: string): Promise<void>;
  /**
   * Consumes a valid code and adds the token to the (device, app id) pairing, which it creates as `pairingId`
   * if there is none. Drops that pairing's oldest tokens beyond `maxTokens`. Of two claims of one code
   * exactly one gets the pairing; the other gets undefined, as does a claim of an expired code.
   */
  claimCode(claim: {
    readonly codeHash: string;
    readonly now: number;
    readonly pairingId: string;
    readonly appId: string;
    readonly appName: string;
    readonly tokenHash: string;
    readonly maxTokens: number;
  }): Promise<AppTokenRecord | undefined>;

  findAppByToken(tokenHash: string): Promise<AppTokenRecord | undefined>;
  listPairings(deviceId: string): Promise<readonly PairingRecord[]>;
  /** Deletes one token, and its pairing too if the token was the last; `wasLast` says so. */
  removeAppToken(tokenHash: string): Promise<{ readonly wasLast: boolean }>;
  /** Deletes a device's pairing with all its tokens and returns it; undefined if there is none. */
  removePairing(deviceId: string, pairingId: string): Promise<PairingRecord | undefined>;
  /** Records when devices and pairings were last seen. The time never decreases. Need not be durable. */
  noteSeen(seen: {
    readonly devices: ReadonlyMap<string, number>;
    readonly pairings: ReadonlyMap<string, number>;
  }): Promise<void>;
}

/** A package as it is stored. */
export interface PackageRecord {
  readonly packageId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  readonly createdAt: number;
  readonly manifest: AnnouncedManifest;
  readonly life: PackageLife;
  /** Uploaded files: file name → key in the sound store. */
  readonly uploaded: ReadonlyMap<string, string>;
  readonly results: SoundResults | null;
  /** True once the sweeper has deleted its files. */
  readonly filesDeleted: boolean;
  /** Incremented by every change. Every update requires it to match (compare-and-swap). */
  readonly version: number;
}

/** What an insert is checked against, inside its transaction (rules L1, L2, L4, U6). */
export interface Quotas {
  readonly packagesPerHour: number;
  readonly waitingPerDevice: number;
  readonly bytesPerDevice: number;
  readonly bytesPerAddressPerDay: number;
  /** The store's free bytes minus the reserve. The adapter also subtracts other packages' pending uploads. */
  readonly roomBytes: number;
}

/** The answer stored for an `Idempotency-Key` (rule M9). */
export interface IdempotentAnswer {
  readonly key: string;
  /** SHA-256 of the request body. */
  readonly bodyHash: string;
  /** The JSON of the original answer. */
  readonly answer: string;
  /** When the key expires. */
  readonly endsAt: number;
}

export type InsertOutcome =
  | { readonly kind: "inserted" }
  /** The key was used in the meantime. */
  | { readonly kind: "replay"; readonly earlier: IdempotentAnswer }
  | { readonly kind: "hourly-limit" | "address-limit"; readonly freeAt: number }
  | { readonly kind: "many-wait" | "device-full" | "no-room" }
  /** The device was removed in the meantime. */
  | { readonly kind: "device-gone" };

/**
 * Packages. The duties of `PairingRecords` apply, and two more. The adapter checks quotas and inserts in one
 * step, in the order device gone, replay, hourly limit, address limit, too many waiting, device full, no
 * space. It updates or removes a record only while its version is still the one the caller read, and returns
 * whether it did.
 */
export interface PackageRecords {
  insert(
    record: PackageRecord,
    options: {
      readonly now: number;
      readonly quotas: Quotas;
      readonly address: string;
      readonly idempotency: IdempotentAnswer | undefined;
    },
  ): Promise<InsertOutcome>;
  /** The unexpired answer stored for a key of (device, app id). */
  findIdempotent(owner: Owner, key: string, now: number): Promise<IdempotentAnswer | undefined>;
  find(packageId: string): Promise<PackageRecord | undefined>;
  /**
   * Writes life, uploaded, results and filesDeleted if the stored version is still `record.version`, and
   * increments the stored version.
   */
  update(record: PackageRecord): Promise<boolean>;
  /** Removes the record and its idempotency key. */
  remove(packageId: string, version: number): Promise<boolean>;
  /** A device's committed packages whose files still exist, newest commit first. */
  listImportable(deviceId: string, now: number): Promise<readonly PackageRecord[]>;
  /** An app's packages that are neither committed nor expired, so that unpairing the app can drop them. */
  listUploading(owner: Owner, now: number): Promise<readonly PackageRecord[]>;
  /** Packages whose files have expired but still exist, and packages `statusWindowMs` past that time. */
  listDue(now: number, statusWindowMs: number, limit: number): Promise<readonly PackageRecord[]>;
  /** Deletes counted announcements and idempotency keys that have expired. */
  forgetOld(now: number): Promise<void>;
  /** Whether any package refers to this key of the sound store. */
  isSoundKnown(key: string): Promise<boolean>;
}

/** The device and app that packages belong to. */
export interface Owner {
  readonly deviceId: string;
  readonly appId: string;
}

/**
 * The bytes of sounds, by key. A key is `<package id>/<random>` and is written once.
 *
 * The adapter resolves `finish` only when bytes and name are durable. A writer that was discarded, or whose
 * process crashed, leaves nothing that `open` finds. A full store rejects with `StoreFullError`. Deleting a
 * sound never interrupts a running read of it.
 * The caller ends each writer with `finish` or `discard`, and may `discard` after a `finish` that failed. It
 * writes nothing after either.
 */
export interface SoundStore {
  create(key: string): Promise<SoundWriter>;
  /** The bytes from `start` to `end`, inclusive, in pieces that the caller owns; undefined if missing. */
  open(
    key: string,
    range: { readonly start: number; readonly end: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Ignores keys that do not exist. */
  delete(keys: readonly string[]): Promise<void>;
  /** Every stored key. For an unfinished sound it yields a name that `delete` accepts. */
  keys(): AsyncIterable<string>;
  freeBytes(): Promise<number>;
}

export interface SoundWriter {
  /**
   * Takes ownership of one piece: the store may detach its buffer once it is written, so the caller must not
   * use it again. Resolves when there is room for the next one (backpressure).
   */
  write(piece: Uint8Array): Promise<void> | void;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** The store ran out of space despite the reservation. */
export class StoreFullError extends Error {
  override readonly name = "StoreFullError";
}
