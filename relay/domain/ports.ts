import type { AnnouncedManifest } from "../../core/manifest/manifest.ts";
import type { PackageLife } from "../../core/protocol/package-state.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import type { Notifier } from "./notifier.ts";
import type { Limits } from "./limits.ts";

/** Everything a use case reaches the world through. */
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
  /** Lower-case hex of the UTF-8 of a text. */
  ofText(text: string): string;
  ofBytes(bytes: Uint8Array): string;
  /** Takes bytes piece by piece; `hex` ends it. */
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
  /** When the app was paired last. */
  readonly pairedAt: number;
  readonly lastSeenAt: number;
}

/** What a token stands for. */
export interface AppTokenRecord extends PairingRecord {
  readonly deviceName: string;
}

/**
 * Devices, pairing codes, pairings and tokens.
 *
 * The adapter's duty: every method is atomic; one that changes something resolves only when the
 * change is durable; what it resolved is seen by every later call. Tokens and codes come in as
 * SHA-256 and are kept as nothing else.
 * The caller's duty: ids are unique and times come from one clock.
 */
export interface PairingRecords {
  insertDevice(device: DeviceRecord, tokenHash: string): Promise<void>;
  findDeviceByToken(tokenHash: string): Promise<DeviceRecord | undefined>;
  renameDevice(deviceId: string, deviceName: string): Promise<void>;
  /** Forgets the device with its tokens, codes, pairings and packages; gives the keys of their stored sounds. */
  removeDevice(deviceId: string): Promise<readonly string[]>;
  /** Devices not seen since that time. */
  listDevicesUnseenSince(time: number): Promise<readonly string[]>;

  /** Replaces the device's code; false, and nothing changed, when another device's live code has the same hash. */
  putCode(code: {
    readonly deviceId: string;
    readonly codeHash: string;
    readonly expiresAt: number;
    readonly now: number;
  }): Promise<boolean>;
  /**
   * Uses a live code up, adds the token to the (device, app id) pairing, made where there is none
   * under `pairingId`, and drops that pairing's oldest tokens beyond `maxTokens`. Of two claims of
   * one code exactly one gets the pairing; the other, like a claim of a dead code, gets undefined.
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
  /** Forgets one token. When it was the pairing's last, forgets the pairing too and says so. */
  removeAppToken(tokenHash: string): Promise<{ readonly wasLast: boolean }>;
  /** Forgets a device's pairing with all its tokens; gives it back, undefined where there is none. */
  removePairing(deviceId: string, pairingId: string): Promise<PairingRecord | undefined>;
  /** Notes when devices and pairings were last seen; never goes back in time. Need not be durable. */
  noteSeen(seen: {
    readonly devices: ReadonlyMap<string, number>;
    readonly pairings: ReadonlyMap<string, number>;
  }): Promise<void>;
}

/** A package as it is kept. */
export interface PackageRecord {
  readonly packageId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  readonly createdAt: number;
  readonly manifest: AnnouncedManifest;
  readonly life: PackageLife;
  /** Files that have arrived: file name → key in the sound store. */
  readonly uploaded: ReadonlyMap<string, string>;
  readonly results: SoundResults | null;
  /** True once the sweeper has deleted its files. */
  readonly filesDeleted: boolean;
  /** Counts the changes; the condition of every update. */
  readonly version: number;
}

/** What an insert is judged by, inside its transaction (rules L1, L2, L4, U6). */
export interface Quotas {
  readonly packagesPerHour: number;
  readonly waitingPerDevice: number;
  readonly bytesPerDevice: number;
  readonly bytesPerAddressPerDay: number;
  /** Free bytes of the sound store now, less what must stay free; what other packages still have to send is taken off too. */
  readonly roomBytes: number;
}

/** The answer kept for an `Idempotency-Key` (rule M9). */
export interface IdempotentAnswer {
  readonly key: string;
  /** SHA-256 of the request's body. */
  readonly bodyHash: string;
  /** The JSON that was answered. */
  readonly answer: string;
  /** When the key is free again. */
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
 * Packages. Duties as in `PairingRecords`; beyond them:
 * the adapter judges quotas and inserts in one step, in the order device gone, replay, hourly limit,
 * address limit, many wait, device full, no room; an update or removal happens only while the record still
 * has the version that the caller read, and says whether it did.
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
  /** The live answer kept for a key of (device, app id). */
  findIdempotent(owner: Owner, key: string, now: number): Promise<IdempotentAnswer | undefined>;
  find(packageId: string): Promise<PackageRecord | undefined>;
  /** Writes life, uploaded, results and filesDeleted of a record whose stored version is still `record.version`; the stored version grows by one. */
  update(record: PackageRecord): Promise<boolean>;
  /** Removes the record and its idempotency key. */
  remove(packageId: string, version: number): Promise<boolean>;
  /** A device's committed packages whose files exist now, newest commit first. */
  listImportable(deviceId: string, now: number): Promise<readonly PackageRecord[]>;
  /** What an app has neither committed nor lost to time; for dropping it when the app is unpaired. */
  listUploading(owner: Owner, now: number): Promise<readonly PackageRecord[]>;
  /** Packages past the end of their files whose files are not deleted yet, and those past `statusWindowMs` after it. */
  listDue(now: number, statusWindowMs: number, limit: number): Promise<readonly PackageRecord[]>;
  /** Forgets counted announcements and idempotency keys that no longer matter. */
  forgetOld(now: number): Promise<void>;
  /** Whether any package refers to this key of the sound store. */
  isSoundKnown(key: string): Promise<boolean>;
}

/** Whom packages belong to. */
export interface Owner {
  readonly deviceId: string;
  readonly appId: string;
}

/**
 * The bytes of sounds, by key. A key is `<package id>/<random>` and is written once.
 *
 * The adapter's duty: `finish` resolves only when bytes and name are durable; a writer that was
 * discarded, or whose process died, leaves nothing that `open` finds; a full store rejects with
 * `StoreFullError`; deleting a sound that is being read never cuts its reader off.
 * The caller's duty: each writer ends with a `finish`, or with a `discard`, which may follow a `finish`
 * that failed; no write after either.
 */
export interface SoundStore {
  create(key: string): Promise<SoundWriter>;
  /** Bytes from `start` up to and including `end`, each piece the caller's own; undefined where there is no such sound. */
  open(
    key: string,
    range: { readonly start: number; readonly end: number },
  ): Promise<AsyncIterable<Uint8Array> | undefined>;
  /** Deleting what is not there is fine. */
  delete(keys: readonly string[]): Promise<void>;
  /** Every key that is stored; of what is not finished, a name that `delete` takes. */
  keys(): AsyncIterable<string>;
  freeBytes(): Promise<number>;
}

export interface SoundWriter {
  /**
   * Takes one piece over: it may be emptied as soon as it is stored, so the caller must not use it any
   * more. Resolves when there is room for the next.
   */
  write(piece: Uint8Array): Promise<void> | void;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

/** The store has no room left, in spite of the reservation. */
export class StoreFullError extends Error {
  override readonly name = "StoreFullError";
}
