import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { isSqliteError } from "../storage/error-codes.ts";
import { HOLD_MS, LONGEST_HOLD_MS } from "../storage/records/deletion-hold.ts";
import { openForWriting } from "../storage/sqlite/open-database.ts";
import { inTransaction, patientBegin } from "../storage/sqlite/transactions.ts";

const RENEW_EVERY_MS = 30_000;

/** A hold that keeps the relay of a folder from deleting sounds. It is renewed until it is disposed (rule Z10). */
export class DeletionHold implements Disposable {
  readonly #database: DatabaseSync;
  readonly #holder = `backup ${process.pid} ${randomUUID()}`;
  readonly #wall: () => number;
  readonly #begin: () => void;
  readonly #renewing: NodeJS.Timeout;
  #trouble: unknown;
  #endsAt = Number.MAX_SAFE_INTEGER;

  /** Begins to hold deletions. @param wall the machine's clock, in milliseconds since 1970 */
  constructor(folder: string, wall: () => number = () => Date.now()) {
    this.#database = openForWriting(folder);
    this.#wall = wall;
    // Called once, because it shortens the wait that it finds.
    this.#begin = patientBegin(this.#database, () => {});
    try {
      this.renew();
      this.assertHeld();
    } catch (error) {
      this.#database.close();
      throw error;
    }
    this.#renewing = setInterval(() => this.renew(), RENEW_EVERY_MS);
  }

  /** Renews the hold. Never throws: `assertHeld` reports failures. */
  renew(): void {
    try {
      this.#write(() => {
        const now = this.#relayTime();
        if (now >= this.#endsAt) throw new Error("the last renewal is too long ago");
        this.#endsAt = now + HOLD_MS;
        this.#database
          .prepare("INSERT OR REPLACE INTO deletion_holds (holder, ends_at) VALUES (?, ?)")
          .run(this.#holder, this.#endsAt);
      });
    } catch (error) {
      this.#trouble ??= error;
    }
  }

  /** Checks the hold. @throws {Error} unless deletions have been held all the time */
  assertHeld(): void {
    if (this.#trouble === undefined && this.#relayTime() < this.#endsAt) return;
    const reason = this.#trouble instanceof Error ? ` (${this.#trouble.message})` : "";
    throw new Error(
      `The relay could not be kept from deleting sounds meanwhile${reason}. Try again.`,
      { cause: this.#trouble },
    );
  }

  [Symbol.dispose](): void {
    clearInterval(this.#renewing);
    try {
      this.#write(() => {
        const now = this.#relayTime();
        this.#database
          .prepare("DELETE FROM deletion_holds WHERE holder = ? OR ends_at NOT BETWEEN ? AND ?")
          .run(this.#holder, now + 1, now + LONGEST_HOLD_MS);
      });
    } catch (error) {
      // Otherwise the hold ends when its time is over.
      if (!isSqliteError(error, "busy") && !isSqliteError(error, "full")) throw error;
    } finally {
      this.#database.close();
    }
  }

  /** Returns the relay's time, which is never behind the time that it kept. */
  #relayTime(): number {
    const kept = this.#database.prepare("SELECT value FROM upkeep WHERE name = 'time'").get();
    return Math.max(this.#wall(), Number(kept?.["value"] ?? 0));
  }

  #write(act: () => void): void {
    inTransaction(this.#database, act, this.#begin);
  }
}
