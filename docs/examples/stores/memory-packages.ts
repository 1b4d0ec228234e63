import { filesEndAt, statusOf } from "../../../relay/index.ts";
import type {
  AddedFile,
  AddOutcome,
  HoldOptions,
  HoldOutcome,
  InsertOptions,
  InsertOutcome,
  Listed,
  Owner,
  PackagePage,
  PackageRecord,
  PackageRecords,
  SparesAsked,
  UpdateOutcome,
  UsageAsked,
} from "../../../relay/index.ts";
import { compareAnnounced, formatAnnounced, parseAnnounced } from "./memory-own-places.ts";
import { comparePlaces, firstPlace, formatPlace, parsePlace, placeOf } from "./memory-places.ts";
import { deleteWhere, keysOf, type MemoryDatabase, takesFile } from "./memory-database.ts";
import {
  answerKey,
  bytesOf,
  DAY_MS,
  judgeAnnouncement,
  judgeUpload,
  missingBytesOf,
  sparesIn,
  hourOf,
  usageOf,
} from "./memory-quotas.ts";

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
    const outcome = judgeAnnouncement(this.#tables, record, options);
    if (outcome.kind !== "inserted") return outcome;
    const { packageId, deviceId, appId } = record;
    const { now: at, idempotency } = options;
    if (this.#tables.packages.has(packageId)) throw new Error(`${packageId} is in use.`);
    this.#tables.packages.set(packageId, record);
    this.#tables.announcements.push({ deviceId, appId, at });
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

  async addFile(added: AddedFile): Promise<AddOutcome> {
    const { packageId, sound, key, tokenHash, roomUntil, received } = added;
    const { packages, pending, doomed, appTokens } = this.#tables;
    const stored = packages.get(packageId);
    if (stored === undefined || !takesFile(stored, sound.file)) return { kind: "changed" };
    if (tokenHash !== undefined && !appTokens.has(tokenHash)) return { kind: "changed" };
    if (!pending.has(key)) return { kind: "key-gone" };
    this.#tables.forgetPending([key]);
    const partials = this.#tables.doomPartials(packageId, (file) => file === sound.file);
    const replaced = stored.uploaded.get(sound.file);
    if (replaced !== undefined) doomed.add(replaced);
    const uploaded = new Map(stored.uploaded).set(sound.file, key);
    const changed = { ...stored, uploaded, version: stored.version + 1 };
    packages.set(packageId, { ...changed, room: roomAfter(changed, roomUntil) });
    this.#tables.received.push(received);
    this.#changed();
    return { kind: "added", doomed: replaced === undefined ? partials : [...partials, replaced] };
  }

  async update(record: PackageRecord): Promise<UpdateOutcome> {
    const { packages, doomed } = this.#tables;
    const stored = packages.get(record.packageId);
    if (stored?.version !== record.version) return "changed";
    const after = keysOf(record);
    for (const key of keysOf(stored)) if (!after.includes(key)) doomed.add(key);
    const { uploaded, results, isSpare, takenAt, reportedAt, filesDeleted, version } = record;
    if (filesDeleted) this.#tables.doomPartials(record.packageId, () => true);
    const life = { ...record.life, uploadEndsAt: stored.life.uploadEndsAt };
    const times = { takenAt, reportedAt };
    const written = { life, uploaded, results, isSpare, filesDeleted };
    const changes = { ...written, ...times, version: version + 1 };
    const room = roomAfter({ ...stored, ...changes });
    packages.set(record.packageId, { ...stored, ...changes, room });
    if (stored.life.outcome === null && life.outcome !== null) {
      this.#tables.firstReports.set(record.packageId, (this.#tables.reportCount += 1));
    }
    this.#changed();
    return "updated";
  }

  async holdRoom(packageId: string, options: HoldOptions): Promise<HoldOutcome> {
    const stored = this.#tables.packages.get(packageId);
    if (stored === undefined || stored.filesDeleted || stored.life.committedAt !== null) {
      return { kind: "gone" };
    }
    if (options.confirmedNow >= filesEndAt(stored.life)) return { kind: "gone" };
    const outcome = judgeUpload(this.#tables, stored, options);
    if (outcome.kind !== "held" || missingBytesOf(stored) === 0) return outcome;
    const isCredible = (stored.room?.until ?? 0) <= (options.latestEnd ?? Infinity);
    const until = Math.max(isCredible ? (stored.room?.until ?? 0) : 0, options.room.until);
    this.#tables.packages.set(packageId, { ...stored, room: { ...options.room, until } });
    this.#changed();
    return outcome;
  }

  async remove(packageId: string, version: number, isWithdrawn = false) {
    const stored = this.#tables.packages.get(packageId);
    if (stored?.version !== version) return undefined;
    const doomed = this.#tables.removePackage(stored, !isWithdrawn);
    this.#changed();
    return { doomed };
  }

  async list(of: Listed, page: PackagePage) {
    return "appId" in of ? this.#listOwn(of, page) : this.#listImportable(of, page);
  }

  #listImportable({ deviceId, now }: Importable, { after, limit }: PackagePage) {
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
      .map(({ head, place }) =>
        Object.assign({}, head, { cursor: formatPlace(place), isSeen: false }),
      );
  }

  #listOwn(owner: Owner, { after, limit }: PackagePage) {
    const isOwn = (record: PackageRecord) =>
      record.deviceId === owner.deviceId && record.appId === owner.appId;
    const from = after === undefined ? undefined : parseAnnounced(after);
    if (after !== undefined && from === undefined) return undefined;
    return [...this.#tables.packages.values()]
      .filter(isOwn)
      .toSorted(compareAnnounced)
      .filter((record) => from === undefined || compareAnnounced(from, record) < 0)
      .slice(0, limit)
      .map((head) => Object.assign({}, head, { cursor: formatAnnounced(head), isSeen: false }));
  }

  /** Only an operator reads that, and this store has none. */
  async noteListed() {}

  async readUsage(owner: Owner, asked: UsageAsked) {
    return usageOf(this.#tables, owner, asked);
  }

  async readHour(owner: Owner, now: number) {
    return hourOf(this.#tables, owner, now);
  }

  async findManifests(packageIds: readonly string[], maxCharacters: number) {
    let characters = 0;
    return packageIds
      .map((packageId) => this.#tables.packages.get(packageId))
      .filter((record) => record !== undefined)
      .filter(({ manifest }) => {
        const isBefore = characters < maxCharacters;
        characters += JSON.stringify(manifest).length;
        return isBefore;
      })
      .map(({ packageId, manifest }) => ({ packageId, manifest }));
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

  async expire(now: number, limit: number) {
    const due = (await this.listDue(now, Infinity, limit)).filter((one) => !one.filesDeleted);
    return this.#deleteFiles(due);
  }

  async dropSpares({ bytes, ...which }: SparesAsked) {
    let lacks = bytes;
    const dropped = sparesIn(this.#tables, which).filter((record) => {
      const isNeeded = lacks > 0;
      lacks -= bytesOf(record);
      return isNeeded;
    });
    return this.#deleteFiles(dropped);
  }

  async #deleteFiles(records: readonly PackageRecord[]) {
    for (const record of records) await this.update({ ...record, filesDeleted: true });
    return records.map(({ packageId, deviceId, uploaded }) => {
      return { packageId, deviceId, keys: [...uploaded.values()] };
    });
  }

  async count(now: number) {
    const counts = { uploading: 0, waiting: 0, imported: 0, partial: 0, failed: 0, expired: 0 };
    const all = [...this.#tables.packages.values()];
    const waiting = all.filter((record) => statusOf(record, now) === "waiting");
    for (const record of all) counts[statusOf(record, now)] += 1;
    const reserved = all.filter(({ room }) => room !== null && now < room.until);
    return {
      counts,
      oldestWaitingAt:
        waiting.length === 0
          ? null
          : Math.min(...waiting.map(({ life }) => life.committedAt ?? Infinity)),
      reservedBytes: reserved.reduce((sum, record) => sum + missingBytesOf(record), 0),
    };
  }

  async forgetOld(now: number) {
    const { announcements, received, answers, codes, requests, claims } = this.#tables;
    this.#tables.announcements = announcements.filter(({ at }) => now < at + DAY_MS);
    this.#tables.received = received.filter(({ at }) => now < at + DAY_MS);
    deleteWhere(answers, ({ answer }) => answer.endsAt <= now);
    deleteWhere(codes, ({ expiresAt }) => expiresAt <= now);
    deleteWhere(requests, ({ expiresAt }) => expiresAt <= now);
    deleteWhere(claims, ({ endsAt }) => endsAt <= now);
  }
}

/** The room that a package holds after a change: none once it lacks nothing. */
function roomAfter(record: PackageRecord, until = 0): PackageRecord["room"] {
  const isOver = record.filesDeleted || record.life.committedAt !== null;
  if (isOver || missingBytesOf(record) === 0 || record.room === null) return null;
  return { ...record.room, until: Math.max(record.room.until, until) };
}

interface Importable {
  readonly deviceId: string;
  readonly now: number;
}
