import type { Notification, Topic } from "../../domain/ports.ts";
import type { Notice } from "../records/notices.ts";
import { statement } from "../records/statement.ts";
import type { OutboxConnections } from "./connections.ts";

/** Time for which rows are kept after every reader could see them. */
export const OUTBOX_KEPT_MS = 60_000;
/** Absence after which a reader may have missed some rows. */
const AWAY_MS = OUTBOX_KEPT_MS / 2;
/** Number of rows that are read at once. More count as "missed". */
const READ_AT_ONCE = 10_000;
const SWEPT_AT_ONCE = 5_000;

/** The position of a reader: the transactions that were visible to its last look. */
export interface Bookmark {
  readonly snapshot: string;
  /** First transaction that was still running. */
  readonly xmin: string;
  /** Start time of the server. Another server may count transactions differently. */
  readonly server: string;
  /** The database's time, in milliseconds. */
  readonly at: number;
}

/** A row of another process, as it was written. */
export type HeardNotice =
  | { readonly topic: Topic; readonly notification: Notification }
  | { readonly topic: Exclude<Notice["topic"], Topic>; readonly notification: null };

interface Heard {
  readonly bookmark: Bookmark;
  /** Notices in the order of their ids. Repeats are merged. */
  readonly notices: readonly HeardNotice[];
  /** True if rows may have been deleted, or were left out. */
  readonly missedSome: boolean;
}

const NOW = `pg_current_snapshot()::text AS snapshot,
  pg_snapshot_xmin(pg_current_snapshot())::text AS xmin,
  pg_postmaster_start_time()::text AS server,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS at`;

const READ_BOOKMARK = statement<Bookmark>("read_bookmark", `SELECT ${NOW}`, "postgres");

/**
 * Reads the new rows. A row is new if its transaction wasn't visible to the bookmark's snapshot: it had not begun, or
 * was still running. Reading only below the snapshot's xmin would make all readers wait for one long transaction, and
 * reading by id would skip rows that become visible out of order. Nothing is read twice, as it would be if the last
 * seconds were read again and again.
 */
const READ_OUTBOX = statement<Bookmark & { readonly notices: readonly HeardNotice[] | null }>(
  "read_outbox",
  `WITH unseen AS (
      SELECT id, writer, topic, notification FROM outbox
        WHERE xid >= pg_snapshot_xmax(:snapshot::text::pg_snapshot)
      UNION ALL
      SELECT id, writer, topic, notification FROM outbox
        WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip(:snapshot::text::pg_snapshot)))
    ), heard AS (
      SELECT topic, notification, min(id) AS id FROM unseen WHERE writer <> :writer
        GROUP BY topic, notification ORDER BY 3 LIMIT ${READ_AT_ONCE}
    )
    SELECT ${NOW}, (
      SELECT json_agg(json_build_object('topic', topic, 'notification', notification) ORDER BY id) FROM heard
    ) AS notices`,
  "postgres",
);

/** Reads a bookmark. Everything that is visible now counts as seen. */
export async function readBookmark(connections: OutboxConnections): Promise<Bookmark> {
  return only(await connections.read(READ_BOOKMARK()));
}

/** Reads what other processes have written since the bookmark. */
export async function readOutbox(
  connections: OutboxConnections,
  bookmark: Bookmark,
): Promise<Heard> {
  const { snapshot } = bookmark;
  const { notices, ...now } = only(
    await connections.read(READ_OUTBOX({ snapshot, writer: connections.outbox.writer })),
  );
  const heard = notices ?? [];
  const missedSome =
    now.server !== bookmark.server ||
    now.at - bookmark.at > AWAY_MS ||
    heard.length >= READ_AT_ONCE;
  return { bookmark: now, notices: heard, missedSome };
}

const SWEEP_OUTBOX = statement<{ readonly swept: number }>(
  "sweep_outbox",
  `WITH old AS (
      SELECT id FROM outbox WHERE xid < :xmin::text::xid8 ORDER BY xid LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED
    ), gone AS (DELETE FROM outbox USING old WHERE outbox.id = old.id RETURNING 1)
    SELECT count(*)::int AS swept FROM gone`,
  "postgres",
);

/**
 * Deletes some of the rows whose transactions ended before the one that `xmin` names. Several processes may do that
 * at once. Resolves with true if there may be more.
 */
export async function sweepOutbox(connections: OutboxConnections, xmin: string): Promise<boolean> {
  const { swept } = only(await connections.write(SWEEP_OUTBOX({ xmin })));
  return swept === SWEPT_AT_ONCE;
}

function only<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error("The database answered no row.");
  return row;
}
