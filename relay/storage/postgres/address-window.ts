import type { ReceivedBytes } from "../../domain/ports.ts";
import type { Transaction } from "./connections.ts";
import { LOCK_TIERS } from "./lock-order.ts";
import { statement } from "./statement.ts";

/** Received bytes count for a day. */
export const RECEIVED_COUNTS_MS = 86_400_000;

const RAISE_LATER = statement(
  "raise_received",
  "UPDATE received SET total = total + $2 WHERE address = $1 AND at > $3",
);
// Where there is none before, because it is forgotten, the totals after it still include it.
const ADD = statement(
  "add_received",
  `INSERT INTO received (address, bytes, at, total) SELECT $1, $2, $3, $2 + coalesce(
     (SELECT total FROM received WHERE address = $1 AND at <= $3 ORDER BY at DESC, seq DESC LIMIT 1),
     (SELECT total - bytes - $2 FROM received WHERE address = $1 AND at > $3 ORDER BY at, seq LIMIT 1),
     0)`,
);
const REACHING = statement(
  "received_reaching",
  "SELECT at FROM received WHERE address = $1 AND total >= $2 ORDER BY total, seq LIMIT 1",
);

/**
 * Sends the bytes that an address sent (rule L4). Running totals, so that nothing is summed: the row of an address waits
 * for the one before, by the address's lock.
 */
export function addReceived(tx: Transaction, { address, bytes, at }: ReceivedBytes): void {
  tx.send(LOCK_TIERS, [[address]]);
  tx.send(RAISE_LATER, [address, bytes, at]);
  tx.send(ADD, [address, bytes, at]);
}

/** SQL: the total before an address's window, and at its end. Rows a whole window in the future don't count. */
export function windowColumns(address: string, now: string): string {
  const inWindow = `FROM received WHERE address = ${address}
    AND at > ${now} - ${RECEIVED_COUNTS_MS} AND at < ${now} + ${RECEIVED_COUNTS_MS}`;
  return `coalesce((SELECT total - bytes ${inWindow} ORDER BY at, seq LIMIT 1), 0)::bigint AS window_start,
    (SELECT total ${inWindow} ORDER BY at DESC, seq DESC LIMIT 1) AS window_end`;
}

export interface WindowRow {
  readonly window_start: number;
  /** null if nothing came. */
  readonly window_end: number | null;
}

export function receivedBytes({ window_start, window_end }: WindowRow): number {
  return (window_end ?? window_start) - window_start;
}

/** When the oldest `excessBytes` of the window are a day old; at most a day from now. */
export async function windowFreeAt(
  tx: Pick<Transaction, "query">,
  row: WindowRow,
  { address, now, excessBytes }: { address: string; now: number; excessBytes: number },
): Promise<number> {
  // More than the window has never leaves it; a day is the longest wait reported.
  if (excessBytes > receivedBytes(row)) return now + RECEIVED_COUNTS_MS;
  const [reaching] = await tx.query<{ at: number }>(REACHING, [
    address,
    row.window_start + excessBytes,
  ]);
  return (reaching?.at ?? now) + RECEIVED_COUNTS_MS;
}
