import type { PackageLife } from "../../../../core/protocol/package-state.ts";
import { tiersOf } from "../../../../core/quotas/address-tiers.ts";
import type {
  AddOutcome,
  AppTokenRecord,
  HeldRoom,
  HoldOptions,
  HoldOutcome,
  InsertOptions,
  InsertOutcome,
  PackageRecord,
  PartialTurn,
  Quotas,
  ReceivedBytes,
  Records,
  RoomQuotas,
} from "../../../../relay/domain/ports.ts";
import { isEqual } from "./is-equal.ts";

/** The base time of all cases: 2026-01-01, UTC. */
export const T0 = Date.UTC(2026, 0, 1);
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** The outcome of an insert that was admitted. */
export const INSERTED: InsertOutcome = { kind: "inserted" };

/** Quotas that no case reaches unless it sets one. */
export const NO_LIMITS: Quotas = {
  packagesPerHour: 1_000_000,
  waitingPerDevice: 1_000_000,
  bytesPerDevice: 1e15,
  bytesPerAddressPerDay: 1e15,
  unfilledPerApp: 1e15,
  unfilledPerAddress: 1e15,
  uncrowdedBytes: 1e15,
  roomBytes: 1e15,
};

/** The address that everything comes from, unless a case names another. */
export const ADDRESS = "192.0.2.1";

/** The options of a sample announcement. By default it is unlimited, from one address, without a key. */
type SampleOptions = Partial<Omit<InsertOptions, "quotas">> & {
  readonly quotas?: Partial<Quotas>;
};

/** Registers a device under `deviceId`; its token's hash is `<deviceId>-token`. */
export async function register(
  { pairings }: Pick<Records, "pairings">,
  deviceId: string,
): Promise<void> {
  await pairings.insertDevice(
    { deviceId, deviceName: `Name of ${deviceId}`, registeredAt: T0, lastSeenAt: T0 },
    `${deviceId}-token`,
  );
}

/** Registers the devices `device-1` and `device-2`. */
export async function registerTwo(records: Pick<Records, "pairings">): Promise<void> {
  await register(records, "device-1");
  await register(records, "device-2");
}

/** Pairs an app with its own code. Returns the pairing. */
export async function pair(
  { pairings }: Pick<Records, "pairings">,
  deviceId: string,
  app: {
    readonly appId?: string;
    readonly appName?: string;
    readonly tokenHash?: string;
    readonly now?: number;
  } = {},
): Promise<AppTokenRecord> {
  const { appId = "app-1", appName = "Looper", tokenHash = `${deviceId}-${appId}-token` } = app;
  const now = app.now ?? T0;
  const codeHash = `code of ${tokenHash}`;
  await pairings.setCode(deviceId, { codeHash, expiresAt: now + MINUTE, now });
  const paired = await pairings.claimCode({
    codeHash,
    now,
    latestEnd: now + MINUTE,
    pairingId: `pairing of ${tokenHash}`,
    appId,
    appName,
    tokenHash,
    maxTokens: 10,
  });
  if (paired === undefined) throw new Error(`The claim of a valid code did not pair ${appId}.`);
  return paired;
}

/** Makes the room for a package's missing bytes, for an address. */
export function roomFor(address: string, until: number): HeldRoom {
  return { ...tiersOf(address), until };
}

/** The reason of a judgment; whose packages fill the room, and what spare ones can do, have cases of their own. */
function reasonOf<Outcome extends object>(outcome: Outcome): Outcome {
  const { fullOf: _fullOf, frees: _frees, ...reason } = { fullOf: null, frees: null, ...outcome };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- cases compare the rest
  return reason as unknown as Outcome;
}

/** Asks for room under quotas that no case reaches unless it sets one. */
export async function hold(
  { packages }: Pick<Records, "packages">,
  packageId: string,
  {
    now = T0,
    confirmedNow = now,
    room = roomFor(ADDRESS, now + HOUR),
    replacedBytes = 0,
    quotas = {},
    ...more
  }: Partial<Omit<HoldOptions, "quotas">> & { readonly quotas?: Partial<RoomQuotas> } = {},
): Promise<HoldOutcome> {
  const options = { ...more, now, confirmedNow, room, replacedBytes };
  const all = { ...NO_LIMITS, ...quotas };
  return reasonOf(await packages.holdRoom(packageId, { ...options, quotas: all }));
}

/**
 * Makes a package with sounds of the given sizes, announced at T0. Its upload window lasts an hour, in which it holds
 * room.
 */
export function packageOf(
  packageId: string,
  {
    sizes = [100],
    deviceId = "device-1",
    appId = "app-1",
    createdAt = T0,
    ...rest
  }: Partial<PackageRecord> & { readonly sizes?: readonly number[] } = {},
): PackageRecord {
  return {
    packageId,
    deviceId,
    appId,
    appName: "Looper",
    createdAt,
    manifest: {
      schema: "app2host/1",
      package_id: packageId,
      title: `Title of ${packageId}`,
      source: { app: "Looper" },
      items: sizes.map((bytes, index) => ({
        file: `sound ${index + 1}.wav`,
        bytes,
        sha256: "ab".repeat(32),
        id: String(index + 1),
        name: `Sound ${index + 1}`,
        kind: "oneshot",
      })),
    },
    life: uploadingUntil(createdAt + HOUR),
    uploaded: new Map(),
    results: null,
    isSpare: false,
    takenAt: null,
    reportedAt: null,
    filesDeleted: false,
    room: roomFor(ADDRESS, createdAt + HOUR),
    version: 1,
    ...rest,
  };
}

/** Returns the same package with all its sounds uploaded; their keys are `<package id>/snd_<sound id>`. */
export function uploaded(record: PackageRecord): PackageRecord {
  const { packageId, manifest } = record;
  const keys = manifest.items.map(({ file, id }) => [file, `${packageId}/snd_${id}`] as const);
  return { ...record, uploaded: new Map(keys), room: null };
}

/** Returns the same package with all its sounds uploaded, committed at a timestamp and importable for a day. */
export function committed(record: PackageRecord, at: number): PackageRecord {
  const life = { ...record.life, committedAt: at, waitEndsAt: at + DAY };
  return { ...uploaded(record), life };
}

/** Makes the life of a package that is still uploading, until `uploadEndsAt`. */
function uploadingUntil(uploadEndsAt: number): PackageLife {
  return { uploadEndsAt, committedAt: null, waitEndsAt: null, outcome: null, lease: null };
}

/** Announces a package at its `createdAt`. It holds room for the address. */
export async function insert(
  { packages }: Pick<Records, "packages">,
  record: PackageRecord,
  options: SampleOptions = {},
): Promise<InsertOutcome> {
  const { address = ADDRESS } = options;
  const room = record.room && roomFor(address, record.room.until);
  const quotas = { ...NO_LIMITS, ...options.quotas };
  const sample = { now: record.createdAt, address, idempotency: undefined, ...options, quotas };
  return reasonOf(await packages.insert({ ...record, room }, sample));
}

/** Announces a package and sends its sounds at once, from one address. Returns the answer to the announcement. */
export async function send(
  records: Pick<Records, "packages" | "soundKeys">,
  record: PackageRecord,
  options: SampleOptions = {},
): Promise<InsertOutcome> {
  const outcome = await insert(records, record, options);
  if (outcome.kind !== "inserted") return outcome;
  const sent = uploaded(record);
  for (const key of sent.uploaded.values()) {
    await records.soundKeys.addPending(key, record.life.uploadEndsAt);
  }
  const bytes = record.manifest.items.reduce((sum, item) => sum + item.bytes, 0);
  const { address = ADDRESS } = options;
  await updated(records, sent, { address, bytes, at: record.createdAt });
  return outcome;
}

/**
 * Announces a package, uploads the sounds that `record` has, and brings it to the state of `record`. Returns the
 * stored record.
 */
export async function put(
  records: Pick<Records, "packages" | "soundKeys">,
  record: PackageRecord,
): Promise<PackageRecord> {
  const { packageId, life } = record;
  const uploading = { ...record, uploaded: new Map(), results: null, filesDeleted: false };
  const room = roomFor(ADDRESS, life.uploadEndsAt);
  const announced = { ...uploading, life: uploadingUntil(life.uploadEndsAt), room, version: 1 };
  const { kind } = await insert(records, announced);
  if (kind !== "inserted") throw new Error(`The insert of ${packageId} was answered ${kind}.`);
  for (const key of record.uploaded.values()) {
    await records.soundKeys.addPending(key, life.uploadEndsAt);
  }
  const stored = await updated(records, { ...record, filesDeleted: false });
  return record.filesDeleted ? updated(records, { ...stored, filesDeleted: true }) : stored;
}

/** Adds a file to a package: by default its first one, from the usual address, whose bytes count for no window. */
export function addFile(
  { packages }: Pick<Records, "packages">,
  record: PackageRecord,
  key: string,
  {
    index = 0,
    received = { address: ADDRESS, bytes: 0, at: T0 },
    ...more
  }: {
    readonly index?: number;
    readonly tokenHash?: string;
    readonly received?: ReceivedBytes;
    readonly turn?: PartialTurn;
  } = {},
): Promise<AddOutcome> {
  const { packageId, deviceId, manifest, life } = record;
  const sound = manifest.items[index];
  if (sound === undefined) throw new Error(`${packageId} has no sound ${index}.`);
  const roomUntil = record.room?.until ?? life.uploadEndsAt;
  const arrived = { sound, key, received, arrivedAt: received.at };
  return packages.addFile({ packageId, deviceId, roomUntil, ...arrived, ...more });
}

/**
 * Brings a package that nobody else changes meanwhile to the state of `record`: adds its new files, then updates the rest.
 * Returns the stored record.
 */
export async function updated(
  records: Pick<Records, "packages">,
  record: PackageRecord,
  received?: ReceivedBytes,
): Promise<PackageRecord> {
  const { packages } = records;
  const { packageId } = record;
  const before = await packages.find(packageId);
  for (const [index, { file }] of record.manifest.items.entries()) {
    const key = record.uploaded.get(file);
    if (key === undefined || before?.uploaded.get(file) === key) continue;
    const { kind } = await addFile(records, record, key, { index, ...(received && { received }) });
    if (kind !== "added") throw new Error(`A file of ${packageId} was answered ${kind}.`);
  }
  const found = await packages.find(packageId);
  if (found === undefined) throw new Error(`${packageId} is gone.`);
  const { life, uploaded, results, isSpare, takenAt, reportedAt, filesDeleted } = record;
  const written = { life, uploaded, results, isSpare, takenAt, reportedAt, filesDeleted };
  const next = { ...found, ...written };
  if (isEqual(found, next)) return found;
  const outcome = await packages.update(next);
  if (outcome !== "updated") {
    throw new Error(`An update of ${packageId} that nobody disturbs was answered ${outcome}.`);
  }
  return { ...next, version: next.version + 1 };
}
