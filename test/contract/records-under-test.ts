import type {
  PackageRecord,
  PackageRecords,
  PairingRecords,
  Quotas,
} from "../../relay/domain/ports.ts";

/** Records over their own database, for a contract suite. */
export interface RecordsUnderTest extends AsyncDisposable {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  /** Closes the database and opens it again, like a relay that restarts. */
  reopen(): Promise<void>;
}

export type OpenRecords = () => Promise<RecordsUnderTest>;

/** The tests' base time: 2026-01-01, UTC. */
export const T0 = Date.UTC(2026, 0, 1);
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
export const DAY = 86_400_000;

/** Quotas that no test reaches unless it sets one. */
const NO_LIMITS: Quotas = {
  packagesPerHour: 1_000_000,
  waitingPerDevice: 1_000_000,
  bytesPerDevice: 1e15,
  bytesPerAddressPerDay: 1e15,
  roomBytes: 1e15,
};

/** Registers a device under `deviceId`; its token's hash is `<deviceId>-token`. */
export async function register({ pairings }: RecordsUnderTest, deviceId: string): Promise<void> {
  await pairings.insertDevice(
    { deviceId, deviceName: `Name of ${deviceId}`, registeredAt: T0, lastSeenAt: T0 },
    `${deviceId}-token`,
  );
}

/** Pairs an app with its own code; returns the claim's result. */
export async function pair(
  { pairings }: RecordsUnderTest,
  deviceId: string,
  app: {
    readonly appId?: string;
    readonly appName?: string;
    readonly tokenHash?: string;
    readonly now?: number;
  } = {},
) {
  const { appId = "app-1", appName = "Looper", tokenHash = `${deviceId}-${appId}-token` } = app;
  const now = app.now ?? T0;
  const codeHash = `code of ${tokenHash}`;
  await pairings.putCode({ deviceId, codeHash, expiresAt: now + MINUTE, now });
  return pairings.claimCode({
    codeHash,
    now,
    pairingId: `pairing of ${tokenHash}`,
    appId,
    appName,
    tokenHash,
    maxTokens: 10,
  });
}

/** A package with sounds of the given sizes, announced at T0, in its upload window for an hour. */
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
    life: {
      uploadEndsAt: createdAt + HOUR,
      committedAt: null,
      waitEndsAt: null,
      outcome: null,
      lease: null,
    },
    uploaded: new Map(),
    results: null,
    filesDeleted: false,
    version: 1,
    ...rest,
  };
}

/** The same package with all its sounds uploaded, committed at a timestamp and importable for a day. */
export function committed(record: PackageRecord, at: number): PackageRecord {
  const { packageId, manifest } = record;
  return {
    ...record,
    uploaded: new Map(manifest.items.map(({ file, id }) => [file, `${packageId}/snd_${id}`])),
    life: { ...record.life, committedAt: at, waitEndsAt: at + DAY },
  };
}

/** Announces a package under only the given limits, from one address, without a key. */
export function insert(
  { packages }: RecordsUnderTest,
  record: PackageRecord,
  options: Partial<Omit<Parameters<PackageRecords["insert"]>[1], "quotas">> & {
    readonly quotas?: Partial<Quotas>;
  } = {},
) {
  return packages.insert(record, {
    now: record.createdAt,
    address: "192.0.2.1",
    idempotency: undefined,
    ...options,
    quotas: { ...NO_LIMITS, ...options.quotas },
  });
}
