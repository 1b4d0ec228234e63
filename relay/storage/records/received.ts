import type { ReceivedBytes } from "../../domain/ports.ts";
import { LOCK_TIERS } from "./locks.ts";
import { ask, statement, tell, type Work } from "./statement.ts";

/** Received bytes count for this long (rule L4). */
export const RECEIVED_COUNTS_MS = 86_400_000;

const RAISE = statement(
  "raise_received",
  `UPDATE received SET total = total + :bytes,
     bytes = bytes + CASE WHEN at = :at THEN CAST(:bytes AS bigint) ELSE 0 END
   WHERE address = :address AND at >= :at`,
);
// Does nothing if the address has a row of that time. If an earlier row was forgotten, the totals of later ones still
// include it.
const ADD = statement(
  "add_received",
  `INSERT INTO received (address, bytes, at, total)
   SELECT :address, :bytes, :at, CAST(:bytes AS bigint) + coalesce(
     (SELECT total FROM received WHERE address = :address AND at < :at ORDER BY at DESC LIMIT 1),
     (SELECT total - bytes - :bytes FROM received WHERE address = :address AND at > :at
      ORDER BY at LIMIT 1),
     0)
   WHERE NOT EXISTS (SELECT 1 FROM received WHERE address = :address AND at = :at)`,
);
const REACHING = statement<{ readonly at: number }>(
  "received_reaching",
  "SELECT at FROM received WHERE address = :address AND total >= :total ORDER BY total LIMIT 1",
);

/**
 * Adds the bytes that an address sent (rule L4) as running totals, so that nothing is summed as long as the clock isn't
 * set back. Bytes of one time share a row, so that many small parts add few. The row of an address waits for the earlier one, by the address's lock.
 */
export function* addReceived({ address, bytes, at }: ReceivedBytes): Work<void> {
  yield* tell(
    LOCK_TIERS({ tiers: [address] }),
    RAISE({ address, bytes, at }),
    ADD({ address, bytes, at }),
  );
}

/**
 * SQL columns of an address's totals before its window and at its end, without rows a window in the future.
 * Parameters: `:address`, `:now`.
 */
export const WINDOW_COLUMNS = (() => {
  const inWindow = `FROM received WHERE address = :address
    AND at > CAST(:now AS bigint) - ${RECEIVED_COUNTS_MS} AND at < CAST(:now AS bigint) + ${RECEIVED_COUNTS_MS}`;
  return `(SELECT total - bytes ${inWindow} ORDER BY at LIMIT 1) AS window_start,
    (SELECT total ${inWindow} ORDER BY at DESC LIMIT 1) AS window_end`;
})();

/** An address's totals before its window and at its end; null if nothing came. */
export interface WindowRow {
  readonly window_start: number | null;
  readonly window_end: number | null;
}

export function receivedBytes({ window_start, window_end }: WindowRow): number {
  return (window_end ?? 0) - (window_start ?? 0);
}

/** Finds the time at which the oldest `excessBytes` of the window are a day old; at most a day from now. */
export function* windowFreeAt(
  row: WindowRow,
  { address, now }: { readonly address: string; readonly now: number },
  excessBytes: number,
): Work<number> {
  // An excess beyond the window's content never becomes free. A day is the longest wait that is reported.
  if (excessBytes > receivedBytes(row)) return now + RECEIVED_COUNTS_MS;
  const total = (row.window_start ?? 0) + excessBytes;
  const [reaching] = yield* ask(REACHING({ address, total }));
  return (reaching?.at ?? now) + RECEIVED_COUNTS_MS;
}
