import type { DatabaseSync } from "node:sqlite";
import type { ReceivedBytes } from "../../domain/ports.ts";
import { RECEIVED_COUNTS_MS } from "../both-databases.ts";
import { number } from "../rows.ts";

/** The bytes that one address sent in a window. */
export interface AddressWindow {
  readonly bytes: number;
  /** Returns the time at which the oldest `excessBytes` of them are a day old; at most a day from now. */
  freeAt(excessBytes: number): number;
}

/**
 * The bytes that each address sent in any 24 hours (rule L4), as running totals. Nothing is summed as long as the
 * clock isn't set back. After that, a new row also raises the totals of its address's later rows. Rows a whole window
 * in the future don't count.
 */
export function addressWindows(database: DatabaseSync) {
  const first = database.prepare(
    `SELECT total - bytes AS total FROM received
     WHERE address = ? AND at > ? AND at < ? ORDER BY at, seq LIMIT 1`,
  );
  const last = database.prepare(
    `SELECT total FROM received
     WHERE address = ? AND at > ? AND at < ? ORDER BY at DESC, seq DESC LIMIT 1`,
  );
  const reaching = database.prepare(
    "SELECT at FROM received WHERE address = ? AND total >= ? ORDER BY total, seq LIMIT 1",
  );
  const before = database.prepare(
    `SELECT total FROM received
     WHERE address = ? AND at <= ? ORDER BY at DESC, seq DESC LIMIT 1`,
  );
  // If an earlier row was forgotten, the totals of the later rows still include it.
  const firstAfter = database.prepare(
    `SELECT total - bytes AS total FROM received
     WHERE address = ? AND at > ? ORDER BY at, seq LIMIT 1`,
  );
  const raiseLater = database.prepare(
    "UPDATE received SET total = total + ? WHERE address = ? AND at > ?",
  );
  const insert = database.prepare(
    "INSERT INTO received (address, bytes, at, total) VALUES (?, ?, ?, ?)",
  );

  return {
    /** Reads the address's last 24 hours. */
    read(address: string, now: number): AddressWindow {
      const [begins, ends] = [now - RECEIVED_COUNTS_MS, now + RECEIVED_COUNTS_MS];
      const start = number(first.get(address, begins, ends)?.["total"] ?? 0);
      const bytes = number(last.get(address, begins, ends)?.["total"] ?? start) - start;
      return {
        bytes,
        freeAt(excessBytes) {
          // An excess beyond the window's content never becomes free. A day is the longest wait that is reported.
          if (excessBytes > bytes) return ends;
          const row = reaching.get(address, start + excessBytes);
          return number(row?.["at"] ?? now) + RECEIVED_COUNTS_MS;
        },
      };
    },
    add({ address, bytes, at }: ReceivedBytes): void {
      const earlier = before.get(address, at) ?? firstAfter.get(address, at);
      raiseLater.run(bytes, address, at);
      insert.run(address, bytes, at, number(earlier?.["total"] ?? 0) + bytes);
    },
  };
}
