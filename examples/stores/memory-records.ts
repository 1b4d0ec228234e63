import { filesEndAt, judgeInsert } from "../../relay/index.ts";
import type {
  AppTokenRecord,
  CodeClaim,
  DeviceRecord,
  IdempotentAnswer,
  InsertOptions,
  InsertOutcome,
  Owner,
  PackageRecord,
  PackageRecords,
  PairingCode,
  PairingRecord,
  PairingRecords,
  RecordStore,
  SoundKeys,
  StoreChanges,
} from "../../relay/index.ts";

const DAY_MS = 86_400_000;

/** What every instance of the store shares: the "database". A method that runs through is a transaction. */
export class MemoryDatabase {
  readonly devices = new Map<string, DeviceRecord>();
  /** SHA-256 of a token → its device. */
  readonly deviceTokens = new Map<string, string>();
  readonly codes = new Map<string, PairingCode>();
  readonly pairings = new Map<string, PairingRecord>();
  /** SHA-256 of a token → its pairing. A map remembers the order, so the first is the oldest. */
  readonly appTokens = new Map<string, string>();
  readonly packages = new Map<string, PackageRecord>();
  readonly answers = new Map<string, IdempotentAnswer & { readonly packageId: string }>();
  announcements: (Owner & { address: string; bytes: number; at: number })[] = [];
  /** When a pending key ends. */
  readonly pending = new Map<string, number>();
  readonly doomed = new Set<string>();
  readonly watchers = new Map<() => void, MemoryRecords>();
}

/** One process's view of the database. It caches nothing, so there is nothing to drop. */
export class MemoryRecords implements RecordStore {
  readonly pairings: PairingRecords;
  readonly packages: PackageRecords;
  readonly soundKeys: SoundKeys;
  readonly changes: StoreChanges;

  constructor(database: MemoryDatabase) {
    const changed = () => {
      for (const [onChange, instance] of database.watchers) if (instance !== this) onChange();
    };
    this.pairings = pairingRecords(database, changed);
    this.packages = packageRecords(database, changed);
    this.soundKeys = soundKeys(database, changed);
    this.changes = {
      watch: (onChange) => {
        const watcher = () => onChange();
        database.watchers.set(watcher, this);
        return () => database.watchers.delete(watcher);
      },
    };
  }
}

function pairingRecords(database: MemoryDatabase, changed: () => void): PairingRecords {
  const { devices, deviceTokens, codes, pairings, appTokens } = database;

  const appOf = (pairingId: string | undefined): AppTokenRecord | undefined => {
    const pairing = pairingId === undefined ? undefined : pairings.get(pairingId);
    const device = pairing && devices.get(pairing.deviceId);
    return pairing && device && { ...pairing, deviceName: device.deviceName };
  };
  const unpair = (pairing: PairingRecord, now: number): string[] => {
    pairings.delete(pairing.pairingId);
    dropWhere(appTokens, (pairingId) => pairingId === pairing.pairingId);
    return [...database.packages.values()]
      .filter((record) => record.appId === pairing.appId && record.deviceId === pairing.deviceId)
      .filter(({ life }) => life.committedAt === null && now < life.uploadEndsAt)
      .flatMap((record) => removePackage(database, record));
  };

  return {
    async insertDevice(device, tokenHash) {
      if (devices.has(device.deviceId)) throw new Error(`${device.deviceId} exists.`);
      devices.set(device.deviceId, device);
      deviceTokens.set(tokenHash, device.deviceId);
      changed();
    },
    async findDeviceByToken(tokenHash) {
      return devices.get(deviceTokens.get(tokenHash) ?? "");
    },
    async renameDevice(deviceId, deviceName) {
      const device = devices.get(deviceId);
      if (device !== undefined) devices.set(deviceId, { ...device, deviceName });
      changed();
    },
    async removeDevice(deviceId) {
      devices.delete(deviceId);
      codes.delete(deviceId);
      dropWhere(deviceTokens, (owner) => owner === deviceId);
      dropWhere(pairings, (pairing) => pairing.deviceId === deviceId);
      dropWhere(appTokens, (pairingId) => !pairings.has(pairingId));
      const doomed = [...database.packages.values()]
        .filter((record) => record.deviceId === deviceId)
        .flatMap((record) => removePackage(database, record));
      changed();
      return { doomed };
    },
    async listDevicesUnseenSince(time) {
      const unseen = [...devices.values()].filter(({ lastSeenAt }) => lastSeenAt < time);
      return unseen.map(({ deviceId }) => deviceId);
    },

    async putCode(code) {
      for (const other of codes.values()) {
        const isSame = other.codeHash === code.codeHash && other.deviceId !== code.deviceId;
        if (isSame && code.now < other.expiresAt) return false;
      }
      codes.set(code.deviceId, code);
      changed();
      return true;
    },
    async removeCode(deviceId) {
      codes.delete(deviceId);
      changed();
    },
    async claimCode({ codeHash, now, pairingId, appId, appName, tokenHash, maxTokens }: CodeClaim) {
      const code = [...codes.values()].find(
        (each) => each.codeHash === codeHash && now < each.expiresAt,
      );
      if (code === undefined) return undefined;
      const { deviceId } = code;
      codes.delete(deviceId);
      const earlier = [...pairings.values()].find(
        (pairing) => pairing.deviceId === deviceId && pairing.appId === appId,
      );
      const id = earlier?.pairingId ?? pairingId;
      const pairing = { pairingId: id, deviceId, appId, appName, pairedAt: now, lastSeenAt: now };
      pairings.set(id, pairing);
      appTokens.set(tokenHash, id);
      const tokens = [...appTokens].filter(([, owner]) => owner === id).map(([hash]) => hash);
      for (const hash of tokens.slice(0, Math.max(0, tokens.length - maxTokens))) {
        appTokens.delete(hash);
      }
      changed();
      return appOf(id);
    },

    async findAppByToken(tokenHash) {
      return appOf(appTokens.get(tokenHash));
    },
    async listPairings(deviceId) {
      return [...pairings.values()].filter((pairing) => pairing.deviceId === deviceId);
    },
    async removeAppToken(tokenHash, now) {
      const pairing = pairings.get(appTokens.get(tokenHash) ?? "");
      appTokens.delete(tokenHash);
      changed();
      if (pairing === undefined) return { wasLast: false, doomed: [] };
      const isLeft = [...appTokens.values()].includes(pairing.pairingId);
      return isLeft
        ? { wasLast: false, doomed: [] }
        : { wasLast: true, doomed: unpair(pairing, now) };
    },
    async removePairing(deviceId, pairingId, now) {
      const pairing = pairings.get(pairingId);
      if (pairing?.deviceId !== deviceId) return undefined;
      const doomed = unpair(pairing, now);
      changed();
      return { pairing, doomed };
    },
    async noteSeen(seen) {
      raise(devices, seen.devices);
      raise(pairings, seen.pairings);
    },
  };
}

function packageRecords(database: MemoryDatabase, changed: () => void): PackageRecords {
  const { packages, answers, pending } = database;
  const all = () => [...packages.values()];

  return {
    async insert(record, options): Promise<InsertOutcome> {
      const outcome = judge(database, record, options);
      if (outcome.kind !== "inserted") return outcome;
      if (packages.has(record.packageId)) throw new Error(`${record.packageId} exists.`);
      const { packageId, deviceId, appId } = record;
      const { address, idempotency, now } = options;
      packages.set(packageId, record);
      const bytes = bytesOf(record);
      database.announcements.push({ deviceId, appId, address, bytes, at: now });
      if (idempotency !== undefined) {
        answers.set(answerKey(record, idempotency.key), { ...idempotency, packageId });
      }
      changed();
      return outcome;
    },
    async findIdempotent(owner, key, now) {
      const stored = answers.get(answerKey(owner, key));
      return stored !== undefined && now < stored.endsAt ? answerOf(stored) : undefined;
    },
    async find(packageId) {
      return packages.get(packageId);
    },
    async update(record) {
      const stored = packages.get(record.packageId);
      if (stored?.version !== record.version) return "changed";
      const before = new Set(keysOf(stored));
      const after = new Set(keysOf(record));
      const added = [...after].filter((key) => !before.has(key));
      if (added.some((key) => !pending.has(key))) return "key-gone";
      for (const key of added) pending.delete(key);
      for (const key of before) if (!after.has(key)) database.doomed.add(key);
      packages.set(record.packageId, { ...record, version: record.version + 1 });
      changed();
      return "updated";
    },
    async remove(packageId, version) {
      const stored = packages.get(packageId);
      if (stored?.version !== version) return false;
      removePackage(database, stored);
      changed();
      return true;
    },
    async listImportable(deviceId, now) {
      return all()
        .filter((record) => record.deviceId === deviceId && !record.filesDeleted)
        .filter(({ life }) => life.committedAt !== null && now < filesEndAt(life))
        .toReversed()
        .toSorted((a, b) => (b.life.committedAt ?? 0) - (a.life.committedAt ?? 0));
    },
    async listDue(now, statusWindowMs, limit) {
      const isPast = ({ life }: PackageRecord) =>
        now >= (life.waitEndsAt ?? life.uploadEndsAt) + statusWindowMs;
      return all()
        .filter((record) => now >= filesEndAt(record.life))
        .filter((record) => !record.filesDeleted || isPast(record))
        .toSorted((a, b) => filesEndAt(a.life) - filesEndAt(b.life))
        .slice(0, limit);
    },
    async forgetOld(now) {
      database.announcements = database.announcements.filter(({ at }) => at > now - DAY_MS);
      dropWhere(answers, ({ endsAt }) => endsAt <= now);
      dropWhere(database.codes, ({ expiresAt }) => expiresAt <= now);
    },
  };
}

/** Counts for the judgement. It walks over everything; a store for real use maintains these counts instead. */
function judge(
  database: MemoryDatabase,
  record: PackageRecord,
  options: InsertOptions,
): InsertOutcome {
  const { now, quotas, address, idempotency } = options;
  const isNear = (at: number) => Math.abs(now - at) < DAY_MS;
  const ofAddress = database.announcements.filter(
    (one) => one.address === address && isNear(one.at),
  );
  const ofApp = database.announcements.filter(
    ({ deviceId, appId }) => deviceId === record.deviceId && appId === record.appId,
  );
  const live = [...database.packages.values()].filter(({ life }) => now < filesEndAt(life));
  const ofDevice = live.filter(({ deviceId }) => deviceId === record.deviceId);
  const waiting = ofDevice.filter(({ life }) => life.committedAt !== null && life.outcome === null);
  const uploading = live.filter(({ life }) => life.committedAt === null);
  const stored = idempotency && database.answers.get(answerKey(record, idempotency.key));
  const verdict = judgeInsert(
    {
      deviceExists: database.devices.has(record.deviceId),
      earlier: stored && answerOf(stored),
      nthLatestAt: ofApp.at(-quotas.packagesPerHour)?.at,
      addressBytes: sum(ofAddress.map(({ bytes }) => bytes)),
      waitingPackages: waiting.length,
      deviceBytes: sum(ofDevice.map(bytesOf)),
      missingBytes: sum(uploading.map(missingBytesOf)),
    },
    quotas,
    { bytes: bytesOf(record), now },
  );
  if (verdict.kind === "admitted") return { kind: "inserted" };
  if (verdict.kind !== "address-limit") return verdict;
  let excessBytes = verdict.excessBytes;
  const freeing = ofAddress.find(({ bytes }) => (excessBytes -= bytes) <= 0);
  return { kind: "address-limit", freeAt: (freeing?.at ?? now) + DAY_MS };
}

function soundKeys({ packages, pending, doomed }: MemoryDatabase, changed: () => void): SoundKeys {
  return {
    async addPending(key, endsAt) {
      const isPart = [...packages.values()].some((record) => keysOf(record).includes(key));
      if (isPart || pending.has(key) || doomed.has(key)) throw new Error(`${key} is in use.`);
      pending.set(key, endsAt);
      changed();
    },
    async doomPending(time) {
      for (const [key, endsAt] of pending) {
        if (endsAt > time) continue;
        pending.delete(key);
        doomed.add(key);
      }
      changed();
    },
    async listDoomed({ after = "", limit }) {
      return [...doomed]
        .filter((key) => key > after)
        .toSorted()
        .slice(0, limit);
    },
    async strike(keys) {
      for (const key of keys) {
        pending.delete(key);
        doomed.delete(key);
      }
      changed();
    },
  };
}

/** Removes a package with its answer and dooms its keys, which it returns. */
function removePackage(database: MemoryDatabase, record: PackageRecord): string[] {
  database.packages.delete(record.packageId);
  dropWhere(database.answers, ({ packageId }) => packageId === record.packageId);
  for (const key of keysOf(record)) database.doomed.add(key);
  return keysOf(record);
}

/** The keys that a package holds: none once its files are deleted. */
function keysOf({ uploaded, filesDeleted }: PackageRecord): string[] {
  return filesDeleted ? [] : [...uploaded.values()];
}

function bytesOf({ manifest }: PackageRecord): number {
  return sum(manifest.items.map(({ bytes }) => bytes));
}

function missingBytesOf({ manifest, uploaded }: PackageRecord): number {
  return sum(manifest.items.filter(({ file }) => !uploaded.has(file)).map(({ bytes }) => bytes));
}

function answerKey({ deviceId, appId }: Owner, key: string): string {
  return JSON.stringify([deviceId, appId, key]);
}

function answerOf({ key, bodyHash, answer, endsAt }: IdempotentAnswer): IdempotentAnswer {
  return { key, bodyHash, answer, endsAt };
}

function dropWhere<Value>(map: Map<string, Value>, isDropped: (value: Value) => boolean): void {
  for (const [key, value] of map) if (isDropped(value)) map.delete(key);
}

function raise<Value extends { readonly lastSeenAt: number }>(
  map: Map<string, Value>,
  seen: ReadonlyMap<string, number>,
): void {
  for (const [key, time] of seen) {
    const value = map.get(key);
    if (value !== undefined && value.lastSeenAt < time)
      map.set(key, { ...value, lastSeenAt: time });
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
