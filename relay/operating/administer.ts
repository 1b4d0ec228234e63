import type { DatabaseSync } from "node:sqlite";
import type { DoomedKeys, QuarantiningSoundStore, SwitchName } from "../domain/ports.ts";
import { deleteUnused } from "../domain/upkeep/doomed-sounds.ts";
import { erasingQuarantined } from "../domain/upkeep/quarantine.ts";
import type { OperatorRemoval } from "../storage/both-databases.ts";
import { DiskSoundStore } from "../storage/disk/disk-sound-store.ts";
import { named } from "../storage/naming-trouble.ts";
import { BUSY_TIMEOUT_MS, openForWriting } from "../storage/sqlite/open-database.ts";
import {
  decisionWrites,
  denialWrites,
  operationLog,
} from "../storage/sqlite/operator-decisions.ts";
import { operatorRemovals } from "../storage/sqlite/operator-removals.ts";
import { openRecordsBeside, type RecordsAlongside } from "../storage/sqlite/records-beside.ts";
import { locationOf } from "../storage/sqlite/records-over.ts";
import { removalsAppender } from "../storage/sqlite/removals.ts";
import { inTransaction, patientBegin } from "../storage/sqlite/transactions.ts";
import { openCurrent } from "./folder-database.ts";
import type {
  ActingOptions,
  BlockSubject,
  Denied,
  Erased,
  OperatorActions,
  Removed,
} from "./operator-actions.ts";

/** An operator's changes to a data folder's records, in SQLite. */
export class Administration implements OperatorActions, Disposable, AsyncDisposable {
  readonly #writing: DatabaseSync;
  readonly #records: RecordsAlongside;
  readonly #sounds: QuarantiningSoundStore & Partial<AsyncDisposable>;
  readonly #instanceId: string | undefined;
  readonly #who: string;
  readonly #wall: () => number;
  readonly #begin: () => void;
  readonly #appendRemovals: () => void;

  private constructor(
    folder: string,
    options: AdministrationOptions,
    opened: Pick<Opened, "writing" | "records" | "instanceId">,
  ) {
    this.#writing = opened.writing;
    this.#records = opened.records;
    this.#instanceId = opened.instanceId;
    this.#sounds = options.sounds ?? DiskSoundStore.openReadOnly(folder);
    this.#who = options.who;
    this.#wall = options.wall ?? (() => Date.now());
    // Called once, because it shortens the wait that it finds.
    this.#begin = patientBegin(this.#writing, () => {});
    this.#appendRemovals = removalsAppender(this.#writing, folder);
  }

  /**
   * Opens a data folder's records.
   * @throws {Error} a sentence if there is no database, or if another version wrote it
   */
  static async open(folder: string, options: AdministrationOptions): Promise<Administration> {
    openCurrent(folder).close();
    const writing = openForWriting(folder);
    let records: RecordsAlongside | undefined;
    try {
      records = openRecordsBeside(folder, { mayWrite: true });
      const instanceId = (await records.upkeep.readInstance())?.instanceId;
      return new Administration(folder, options, { writing, records, instanceId });
    } catch (error) {
      records?.[Symbol.dispose]();
      writing.close();
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#records[Symbol.dispose]();
    this.#writing.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this[Symbol.dispose]();
    await this.#sounds[Symbol.asyncDispose]?.();
  }

  block(subject: BlockSubject, isBlocked: boolean): boolean {
    const decision = { ...subject, ...this.#byWhom() };
    return this.#change(() => {
      const writes = decisionWrites(this.#writing);
      return isBlocked ? writes.block(decision) : writes.unblock(decision);
    });
  }

  turn(name: SwitchName, isOff: boolean, sentence?: string): boolean {
    const change = { name, isOff, sentence, ...this.#byWhom() };
    return this.#change(() => decisionWrites(this.#writing).turn(change));
  }

  async deny(sha256: string): Promise<Denied> {
    const by = this.#byWhom();
    const { isNew, doomed } = this.#change(() =>
      denialWrites(this.#writing).deny({ sha256, ...by }),
    );
    const keys = [...doomed.values()].flat();
    return { isNew, packages: [...doomed.keys()], ...(await this.#delete(keys)) };
  }

  allow(sha256: string): boolean {
    const by = this.#byWhom();
    return this.#change(() => denialWrites(this.#writing).allow({ sha256, ...by }));
  }

  revoke(id: string): Promise<Removed | undefined> {
    return this.#remove(id.startsWith("dev_") ? "revokeDevice" : "revokePairing", id);
  }

  purge(id: string): Promise<Removed | undefined> {
    return this.#remove(id.startsWith("dev_") ? "purgeDevice" : "purgePackage", id);
  }

  async erase(id: string): Promise<Erased | undefined> {
    const removed = await this.#remove("eraseDevice", id);
    if (removed === undefined) return undefined;
    return { ...removed, isOverwritten: emptyLog(this.#writing, BUSY_TIMEOUT_MS) };
  }

  noteExport(id: string): void {
    const operation = { action: "export", subject: id, ...this.#byWhom() };
    this.#change(() => operationLog(this.#writing)(operation));
  }

  async #remove(
    how: keyof ReturnType<typeof operatorRemovals>,
    id: string,
  ): Promise<Removed | undefined> {
    const now = (await this.#records.upkeep.readTime()) ?? this.#wall();
    const removal: OperatorRemoval = { id, now, ...this.#byWhom() };
    const removed = await erasingQuarantined(this.#deletion(), async () =>
      this.#change((): DoomedKeys | undefined => operatorRemovals(this.#writing)[how](removal)),
    );
    if (removed === undefined) return undefined;
    return this.#delete(removed.doomed);
  }

  /** Deletes sounds. Those that can't be deleted now stay doomed for the next sweep of a relay. */
  async #delete(keys: readonly string[]): Promise<Removed> {
    await deleteUnused(this.#deletion(), keys);
    const left = this.#writing
      .prepare(
        "SELECT count(*) AS n FROM json_each(?) AS one JOIN sound_keys ON sound_keys.key = one.value",
      )
      .get(JSON.stringify(keys));
    return { files: keys.length, waiting: Number(left?.["n"]) };
  }

  #deletion() {
    const { packages, soundKeys, upkeep } = this.#records;
    const clock = { now: () => this.#now(), confirmedNow: () => this.#now() };
    return {
      packages,
      soundKeys,
      upkeep,
      clock,
      sounds: this.#sounds,
      instanceId: this.#instanceId,
    };
  }

  /** Makes a change in one transaction. Its removals are in their log before this returns (rule Z11). */
  #change<Result>(write: () => Result): Result {
    try {
      const result = inTransaction(this.#writing, write, this.#begin);
      this.#appendRemovals();
      return result;
    } catch (error) {
      throw named(error, locationOf(this.#writing));
    }
  }

  #byWhom() {
    return { who: this.#who, at: this.#now() };
  }

  /** Returns the relay's time, which is never behind the time that it kept. */
  #now(): number {
    const row = this.#writing.prepare("SELECT value FROM upkeep WHERE name = 'time'").get();
    return Math.max(this.#wall(), Number(row?.["value"] ?? 0));
  }
}

interface Opened {
  readonly writing: DatabaseSync;
  readonly records: RecordsAlongside;
  readonly instanceId: string | undefined;
}

interface AdministrationOptions extends ActingOptions {
  /** Sounds in place of the folder's own. The administration disposes them. */
  readonly sounds?: QuarantiningSoundStore & Partial<AsyncDisposable>;
}

/**
 * Merges the write-ahead log into the database's file and empties it, so that nothing deleted stays on the disk.
 * Waits for a relay's reads and changes to end, and blocks the thread meanwhile.
 * @returns false if the time was over first; a backup that copies the database can take longer
 */
function emptyLog(database: DatabaseSync, timeoutMs: number): boolean {
  const merge = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)");
  const endsAt = performance.now() + timeoutMs;
  while (merge.get()?.["busy"] !== 0) if (performance.now() > endsAt) return false;
  return true;
}
