import { filesEndAt, judgeInsert } from "../../relay/index.ts";
import type {
  InsertOptions,
  InsertOutcome,
  Owner,
  PackagePage,
  PackageRecord,
  PackageRecords,
  UpdateOutcome,
} from "../../relay/index.ts";
import { comparePlaces, firstPlace, formatPlace, parsePlace, placeOf } from "./memory-places.ts";
import { deleteWhere, keysOf, type MemoryDatabase } from "./memory-database.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Packages. A store for real use must not do two things: sum quotas over all rows (rule J4), and sort all rows for a page
 * (rule I5).
 */
export class MemoryPackages implements PackageRecords {
  readonly #tables: MemoryDatabase;
  readonly #changed: () => void;

  constructor(tables: MemoryDatabase, changed: () => void) {
    this.#tables = tables;
    this.#changed = changed;
  }

  async insert(record: PackageRecord, options: InsertOptions): Promise<InsertOutcome> {
    const outcome = this.#judge(record, options);
    if (outcome.kind !== "inserted") return outcome;
    const { packageId, deviceId, appId } = record;
    const { address, now: at, idempotency } = options;
    if (this.#tables.packages.has(packageId)) throw new Error(`${packageId} is in use.`);
    this.#tables.packages.set(packageId, record);
    this.#tables.announcements.push({ deviceId, appId, address, bytes: bytesOf(record), at });
    if (idempotency !== undefined) {
      const row = { packageId, answer: idempotency };
      this.#tables.answers.set(answerKey(record, idempotency.key), row);
    }
    this.#changed();
    return outcome;
  }

  async findIdempotent(owner: Owner, key: string, now: number) {
    const answer = this.#tables.answers.get(answerKey(owner, key))?.answer;
    return answer !== undefined && now < answer.endsAt ? answer : undefined;
  }

  async find(packageId: string) {
    return this.#tables.packages.get(packageId);
  }

  async update(record: PackageRecord): Promise<UpdateOutcome> {
    const { packages, pending, doomed } = this.#tables;
    const stored = packages.get(record.packageId);
    if (stored?.version !== record.version) return "changed";
    const [before, after] = [keysOf(stored), keysOf(record)];
    const added = after.filter((key) => !before.includes(key));
    if (added.some((key) => !pending.has(key))) return "key-gone";

    for (const key of added) pending.delete(key);
    for (const key of before) if (!after.includes(key)) doomed.add(key);
    const { uploaded, results, filesDeleted, version } = record;
    const life = { ...record.life, uploadEndsAt: stored.life.uploadEndsAt };
    const changes = { life, uploaded, results, filesDeleted, version: version + 1 };
    packages.set(record.packageId, { ...stored, ...changes });
    if (stored.life.outcome === null && life.outcome !== null) {
      this.#tables.firstReports.set(record.packageId, (this.#tables.reportCount += 1));
    }
    this.#changed();
    return "updated";
  }

  async remove(packageId: string, version: number) {
    const stored = this.#tables.packages.get(packageId);
    if (stored?.version !== version) return false;
    this.#tables.removePackage(stored);
    this.#changed();
    return true;
  }

  async listImportable(deviceId: string, now: number, { after, limit }: PackagePage) {
    const { packages, firstReports, reportCount } = this.#tables;
    const from = after === undefined ? firstPlace(reportCount) : parsePlace(after);
    if (from === undefined) return undefined;
    const { began } = from;
    // What is reported while a list is read stays where it waited.
    const isReported = (id: string) => (firstReports.get(id) ?? Infinity) <= began;
    return [...packages.values()]
      .filter((record) => record.deviceId === deviceId && !record.filesDeleted)
      .filter(({ life }) => life.committedAt !== null && now < filesEndAt(life))
      .map((head) => ({ head, place: placeOf(head, { began, isReported }) }))
      .toSorted((one, other) => comparePlaces(one.place, other.place))
      .filter(({ place }) => comparePlaces(from, place) < 0)
      .slice(0, limit)
      .map(({ head, place }) => Object.assign({}, head, { cursor: formatPlace(place) }));
  }

  async findManifest(packageId: string) {
    return this.#tables.packages.get(packageId)?.manifest;
  }

  async listDue(now: number, statusWindowMs: number, limit: number) {
    const isOver = ({ life }: PackageRecord) =>
      now >= (life.waitEndsAt ?? life.uploadEndsAt) + statusWindowMs;
    return [...this.#tables.packages.values()]
      .filter((record) => now >= filesEndAt(record.life))
      .filter((record) => !record.filesDeleted || isOver(record))
      .toSorted((a, b) => filesEndAt(a.life) - filesEndAt(b.life))
      .slice(0, limit);
  }

  async forgetOld(now: number) {
    const { announcements, answers, codes } = this.#tables;
    this.#tables.announcements = announcements.filter(({ at }) => now < at + DAY_MS);
    deleteWhere(answers, ({ answer }) => answer.endsAt <= now);
    deleteWhere(codes, ({ expiresAt }) => expiresAt <= now);
  }

  /** Counts what the quotas are about, and has the relay's own function judge the counts (rule J5). */
  #judge(
    record: PackageRecord,
    { now, provenNow = now, quotas, address, idempotency }: InsertOptions,
  ): InsertOutcome {
    const { devices, packages, announcements, answers } = this.#tables;
    const { deviceId, appId } = record;
    // After a clock was set back, they aren't in the order of time. One a whole window ahead doesn't count.
    const byTime = announcements.toSorted((a, b) => a.at - b.at);
    const ofApp = byTime.filter(
      (one) => one.deviceId === deviceId && one.appId === appId && one.at < now + HOUR_MS,
    );
    const ofAddress = byTime.filter(
      (one) => one.address === address && Math.abs(now - one.at) < DAY_MS,
    );
    const live = [...packages.values()].filter(
      ({ life, filesDeleted }) => !filesDeleted && provenNow < filesEndAt(life),
    );
    const ofDevice = live.filter((other) => other.deviceId === deviceId);
    const committed = ofDevice.filter(({ life }) => life.committedAt !== null);
    const uploading = live.filter(({ life }) => life.committedAt === null);

    const verdict = judgeInsert(
      {
        deviceExists: devices.has(deviceId),
        earlier: idempotency && answers.get(answerKey(record, idempotency.key))?.answer,
        nthLatestAt: ofApp.at(-quotas.packagesPerHour)?.at,
        addressBytes: sum(ofAddress.map(({ bytes }) => bytes)),
        waitingPackages: committed.filter(({ life }) => life.outcome === null).length,
        deviceBytes: sum(ofDevice.map(bytesOf)),
        missingBytes: sum(uploading.map(missingBytesOf)),
      },
      quotas,
      { bytes: bytesOf(record), now, provenNow },
    );
    if (verdict.kind === "admitted") return { kind: "inserted" };
    if (verdict.kind !== "address-limit") return verdict;
    let excess = verdict.excessBytes;
    const lastToLeave = ofAddress.find(({ bytes }) => (excess -= bytes) <= 0);
    return { kind: "address-limit", freeAt: (lastToLeave?.at ?? now) + DAY_MS };
  }
}

function bytesOf({ manifest }: PackageRecord): number {
  return sum(manifest.items.map(({ bytes }) => bytes));
}

function missingBytesOf({ manifest, uploaded }: PackageRecord): number {
  const missing = manifest.items.filter(({ file }) => !uploaded.has(file));
  return sum(missing.map(({ bytes }) => bytes));
}

function answerKey({ deviceId, appId }: Owner, key: string): string {
  return JSON.stringify([deviceId, appId, key]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
