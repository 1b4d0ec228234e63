import type { DatabaseSync } from "node:sqlite";
import { StoreLostError } from "../../domain/ports.ts";
import { isSqliteError } from "../error-codes.ts";
import { formatLoss, type Loss, named } from "../naming-trouble.ts";
import {
  hasLastFrame,
  isLogOf,
  NUMBER_AT,
  readWalIndex,
  type WalIndex,
  WatchedFile,
} from "./database-files.ts";

/** Number of frames at which a log is merged. SQLite's own default is the same. */
const MERGE_FRAMES = 1000;
/** Limit of immediate looks while another process changes the log. */
const MAX_TRIES = 1000;
const MAY_PASS = ["busy", "full", "io"] as const;

/** The state of the database's file at a look. */
interface FileState {
  readonly sizeBytes: bigint;
  readonly modifiedNs: bigint;
  readonly header: Buffer;
}

/**
 * Notices when a database, its write-ahead log, or the log's index is no longer the file that this process left at
 * its path (rule Z8). Other connections may commit and merge.
 *
 * Only a merge changes the database's file, and this connection merges only here. So every other change of the file
 * is a fault, unless the log's index shows another process's merge. Each log begins with a number, one more than the
 * number in the file's header, and a merge brings it there. So an older copy has a lower number, and `requireOwnLog`
 * knows whether a log belongs to a file. SQLite's own change counter doesn't move in this journal mode.
 */
export class DatabaseGuard implements Disposable {
  readonly #database: DatabaseSync;
  readonly #pageBytes: number;
  readonly #file: WatchedFile;
  readonly #log: WatchedFile;
  readonly #index: WatchedFile;
  #leftFile: FileState | undefined;
  #leftIndex: WalIndex | undefined;
  #numberedSalts: Buffer | undefined;
  #hasMerged = false;
  #lost: StoreLostError | undefined;

  /**
   * Starts to watch the files.
   * @param database a connection that has read; it merges no more on its own
   * @throws {StoreLostError} if its files are not at their paths already
   */
  constructor(database: DatabaseSync, path: string) {
    this.#database = database;
    database.exec("PRAGMA wal_autocheckpoint = 0");
    this.#pageBytes = Number(database.prepare("PRAGMA page_size").get()?.["page_size"]);
    this.#file = new WatchedFile(path);
    this.#log = new WatchedFile(`${path}-wal`);
    this.#index = new WatchedFile(`${path}-shm`);
    this.look();
    this.#tryToChange(() => this.#numberLog());
    // After a crash, the index shows another process's merge only after the log was merged once.
    this.mergeIfDue(1);
  }

  /** Looks at the files. @throws {StoreLostError} from the first finding on */
  look(): void {
    if (this.#lost !== undefined) throw this.#lost;
    for (let tries = 1; ; tries += 1) {
      const index = readWalIndex(this.#index);
      const loss = this.#findLoss(index);
      if (loss === undefined) {
        this.#leftIndex = index;
        return;
      }
      // A finding counts only if nobody changed the log while it was made.
      const isSteady = index?.bytes.equals(this.#index.read(0, index.bytes.length)) ?? false;
      if (!isSteady && tries < MAX_TRIES) continue;
      this.#lost = new StoreLostError(formatLoss(this.#rescued(loss, index)));
      throw this.#lost;
    }
  }

  /**
   * Merges the log into the database's file if it has grown long, and numbers a new log.
   * @throws {StoreLostError} if a look finds something
   */
  mergeIfDue(frames = MERGE_FRAMES): void {
    const { frameCount, merged } = this.#leftIndex ?? { frameCount: 0, merged: 0 };
    if (frameCount >= frames && merged !== frameCount) {
      this.#hasMerged = true;
      this.#tryToChange(() => this.#merge());
      this.#hasMerged = false;
    }
    if (!this.#isNumbered()) this.#tryToChange(() => this.#numberLog());
  }

  [Symbol.dispose](): void {
    for (const file of [this.#file, this.#log, this.#index]) file[Symbol.dispose]();
  }

  /** Tries a change. If it fails, the next call tries again; the log keeps the frames that aren't merged. */
  #tryToChange(change: () => void): void {
    this.look();
    try {
      change();
    } catch (error) {
      this.look();
      if (isSqliteError(error, "damaged") || !MAY_PASS.some((kind) => isSqliteError(error, kind))) {
        throw named(error, this.#file.path);
      }
    }
    this.look();
  }

  /** Checks whether the log, or the one that the next change begins, has its number. */
  #isNumbered(): boolean {
    const index = this.#leftIndex;
    if (index === undefined) return false;
    const isOver = index.frameCount === index.merged;
    return !isOver && (this.#numberedSalts?.equals(index.salts) ?? false);
  }

  #numberLog(): void {
    const database = this.#database;
    // Read and written in one transaction, so that another process's number never goes back.
    database.exec("BEGIN IMMEDIATE");
    try {
      const number = this.#file.read(NUMBER_AT, 4).readInt32BE();
      database.exec(`PRAGMA application_id = ${number + 1}; COMMIT`);
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
    this.#numberedSalts = readWalIndex(this.#index)?.salts;
  }

  /** Merges the log. Returns true if all of it is merged; other connections may still need a part. */
  #merge(): boolean {
    const done = this.#database.prepare("PRAGMA wal_checkpoint(PASSIVE)").get();
    return done?.["busy"] === 0 && done["log"] === done["checkpointed"];
  }

  #findLoss(index: WalIndex | undefined): Loss | undefined {
    return (
      this.#findLossOfFile(index) ??
      this.#findMove(this.#log) ??
      this.#findLossOfLog(index) ??
      this.#findMove(this.#index) ??
      (index === undefined ? { path: this.#index.path, what: "overwritten" } : undefined)
    );
  }

  #findMove(file: WatchedFile): Loss | undefined {
    const found = file.look();
    return typeof found === "string" ? { path: file.path, what: found } : undefined;
  }

  #findLossOfFile(index: WalIndex | undefined): Loss | undefined {
    const { path } = this.#file;
    const found = this.#file.look();
    if (typeof found === "string") return { path, what: found };
    const left = this.#leftFile;
    const header = this.#file.read(0, 100);
    const now: FileState = { sizeBytes: found.size, modifiedNs: found.mtimeNs, header };
    const isSound =
      left === undefined || isSame(left, now) || (this.#mayHaveMerged(index) && isLater(left, now));
    if (!isSound) return { path, what: "overwritten" };
    this.#leftFile = now;
    return undefined;
  }

  #findLossOfLog(index: WalIndex | undefined): Loss | undefined {
    if (index === undefined || index.frameCount === 0) return undefined;
    const left = this.#leftIndex;
    const isSound =
      isLogOf(index, this.#log, this.#pageBytes) &&
      (left === undefined ||
        left.frameCount === 0 ||
        !left.salts.equals(index.salts) ||
        hasLastFrame(left, this.#log, this.#pageBytes));
    return isSound ? undefined : { path: this.#log.path, what: "overwritten" };
  }

  /** Checks whether this or another process has merged since the last look, or may be merging now. */
  #mayHaveMerged(index: WalIndex | undefined): boolean {
    const left = this.#leftIndex;
    if (this.#hasMerged || index === undefined || left === undefined) return true;
    const { salts, merged, attempted } = index;
    const isNew = merged !== left.merged || attempted !== left.attempted;
    return isNew || attempted !== merged || !salts.equals(left.salts);
  }

  /** Saves the content of a log that was only removed: the log is still open here, and whole. */
  #rescued(loss: Loss, index: WalIndex | undefined): Loss {
    const isOnlyGone = loss.path === this.#log.path && loss.what === "removed";
    const isWhole = isOnlyGone && this.#findLossOfLog(index) === undefined;
    return isWhole && this.#merge() ? { ...loss, isSaved: true } : loss;
  }
}

function isSame(left: FileState, now: FileState): boolean {
  const { sizeBytes, modifiedNs, header } = left;
  return sizeBytes === now.sizeBytes && modifiedNs === now.modifiedNs && header.equals(now.header);
}

/** Checks whether this may be the file after a merge: still a database of this form, with no lower number. */
function isLater(left: FileState, now: FileState): boolean {
  const numberOf = ({ header }: FileState) =>
    header.length < 100 ? -1 : header.readInt32BE(NUMBER_AT);
  const formOf = ({ header }: FileState) => header.subarray(0, 24);
  return formOf(left).equals(formOf(now)) && numberOf(now) >= numberOf(left);
}
