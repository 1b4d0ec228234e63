import type { DatabaseSync } from "node:sqlite";
import { releaseBallast } from "./ballast.ts";
import { groupCommitter } from "./commit-group.ts";
import { DatabaseGuard } from "./database-guard.ts";
import { databasePathIn, openForWriting } from "./open-database.ts";
import { forgetOldRemovals, removalsAppender } from "./removals.ts";
import {
  changesOn,
  type WriterData,
  type WriteRequest,
  type WriterMessage,
  type WriterOrder,
} from "./writes.ts";

/** Interval between looks: the time within which another process's change is noticed (rule J7). */
const LOOK_EVERY_MS = 1000;
/** Interval between looks while the writer is at work. */
const BUSY_LOOK_EVERY_MS = 500;

/** Owns the database's writes, wherever it runs. */
export interface Writer {
  /**
   * Commits requests as one group and sends their replies.
   * @throws {StoreLostError} after the replies, if the database was exchanged or damaged. The writer has ended then,
   * and doesn't close the database.
   */
  write(group: readonly WriteRequest[]): void;
  /** Carries out an order. @throws {StoreLostError} on `finish`, if the database was exchanged or damaged */
  obey(order: WriterOrder): void;
  /** Stops looking at the database, and leaves it open. */
  abandon(): void;
}

/**
 * Opens the database for writing, and sends "ready".
 * @param send gets the writer's messages
 * @throws the error that keeps it from opening the database
 */
export function openWriter(
  { folder, busyTimeoutMs }: WriterData,
  send: (message: WriterMessage) => void,
): Writer {
  const database = openForWriting(folder, busyTimeoutMs);
  // Checked on this connection, because on the reading one the writer's own commits would count, too.
  const findChange = changeFinder(database, () => send("changed"));
  let lookedAt = performance.now();
  const look = () => {
    lookedAt = performance.now();
    findChange();
    guard.look();
  };
  const lookIfDue = () => {
    if (performance.now() - lookedAt >= BUSY_LOOK_EVERY_MS) look();
  };
  // Reported first, so that the relay knows before it answers.
  const releaseNoted = () => {
    send("full");
    return releaseBallast(folder);
  };
  const appendRemovals = removalsAppender(database, folder, releaseNoted);
  const commitGroup = groupCommitter(database, changesOn(database), {
    whileWaiting: lookIfDue,
    beforeAnswers: () => {
      appendRemovals();
      guard.look();
    },
    explain: (error) => lossOr(guard, error),
    makeRoom: releaseNoted,
  });
  // Comes last, because it doesn't wait for a lock now. The next group tries again if it fails.
  const guard = new DatabaseGuard(database, databasePathIn(folder));
  const troubles = [appendRemovals, () => forgetOldRemovals(database, folder)].flatMap(troubleOf);
  // Under load, or while it waits for a lock, the writer doesn't get to its timers, so it also looks in between.
  const looking = setInterval(look, LOOK_EVERY_MS);
  looking.unref();
  send("ready");
  for (const trouble of troubles) send(trouble);
  return {
    write(group) {
      lookIfDue();
      const replies = commitGroup(group);
      send(replies);
      for (const reply of replies) if (reply.trouble === "lost") throw reply.error;
      guard.mergeIfDue();
      lookIfDue();
    },
    obey(order) {
      if (order === "finish") {
        guard.look();
        send("finished");
        return;
      }
      clearInterval(looking);
      database.close();
      guard[Symbol.dispose]();
    },
    abandon: () => clearInterval(looking),
  };
}

/** Returns the finding of a look, because it may be the reason why SQLite failed. */
function lossOr(guard: DatabaseGuard, error: unknown): unknown {
  try {
    guard.look();
    return error;
  } catch (loss) {
    return loss;
  }
}

/** Collects errors of actions that are tried again with the next group, or at the next start. */
function troubleOf(tidy: () => void): readonly Error[] {
  try {
    tidy();
    return [];
  } catch (error) {
    return [error instanceof Error ? error : new Error(String(error))];
  }
}

/**
 * Returns a function that calls `onChange` if another connection has committed since the last call, or since
 * the start. This connection's own commits don't count. It never throws.
 * @throws if the database can't be read now
 */
export function changeFinder(database: DatabaseSync, onChange: () => void): () => void {
  const version = database.prepare("PRAGMA data_version");
  const read = () => version.get()?.["data_version"];
  let seen = read();
  return () => {
    try {
      const current = read();
      if (current === seen) return;
      seen = current;
    } catch {
      // An unreadable database may have changed. Continuing is safe, because a call for no reason is allowed.
    }
    onChange();
  };
}
