import type { DatabaseSync } from "node:sqlite";
import type { Transaction } from "../../storage/postgres/connections.ts";
import type { PostgresDatabase } from "../../storage/postgres/postgres-database.ts";
import { statement } from "../../storage/postgres/statement.ts";
import { number, text } from "../../storage/rows.ts";
import type { OperatedSounds } from "../open-operated.ts";
import { MOVED_TABLES } from "./moved-tables.ts";

/** The target of a move. */
export interface MoveTarget {
  readonly database: PostgresDatabase;
  readonly sounds: OperatedSounds;
}

/** The progress of moving the records. It changes in the transaction that inserts rows, so no row comes twice. */
export interface MoveState {
  /** Id of the move, as in the folder's mark. */
  readonly id: string;
  /** Index of the table that is being copied; `done` when nothing more is written. */
  readonly at: number | "done";
  /** Last row of that table that was copied. */
  readonly after?: string | number | undefined;
}

/** The row of `upkeep` that holds the state. */
const MOVE = "move";

const READ = statement(
  "move_read",
  "SELECT name, value FROM upkeep WHERE name IN ('instance_id', 'move')",
);
const IS_USED = statement(
  "move_is_used",
  `SELECT EXISTS (SELECT FROM devices) OR EXISTS (SELECT FROM packages) OR EXISTS (SELECT FROM blocks)
     OR EXISTS (SELECT FROM operator_log) OR EXISTS (SELECT FROM denied_sounds) AS used`,
);
const KEEP = statement(
  "move_keep",
  `INSERT INTO upkeep (name, value) SELECT * FROM unnest($1::text[], $2::text[]) AS kept (name, value)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
);
const ADVANCE = statement(
  "move_advance",
  `UPDATE upkeep SET value = $2 WHERE name = 'move' AND value = $1 RETURNING name`,
);

/**
 * Claims a database and a bucket for a move, or finds out how far the move has come. From then on the database is bound
 * to the relay's instance, and the bucket gets its id only at the end: no relay starts on them meanwhile (rule Z1).
 * @throws {Error} a sentence if they hold another relay's data, or this relay's since it moved there before
 */
export async function claimTarget(
  { database, sounds }: MoveTarget,
  { id, instanceId }: { readonly id: string; readonly instanceId: string },
): Promise<MoveState> {
  const { connections } = database;
  const where = connections.where;
  const soundsInstance = await sounds.readInstance();
  if (soundsInstance !== undefined && soundsInstance !== instanceId) {
    throw new Error(
      `The bucket belongs to another relay (${soundsInstance}). Choose an empty one.`,
    );
  }
  const holdsSounds = await sounds.holdsSounds();
  return connections.transaction(async (tx) => {
    const rows = await tx.query<{ name: string; value: string }>(READ);
    const found = new Map(rows.map(({ name, value }) => [name, value]));
    const instance = found.get("instance_id");
    const move = found.get(MOVE);
    const state = move === undefined ? undefined : parseState(move);
    if (instance !== undefined && instance !== instanceId) {
      throw new Error(`${where} belongs to another relay (${instance}). Choose an empty database.`);
    }
    if (state?.id === id) return state;
    // Rows of an earlier attempt are copied once more, unless a relay may have served from them.
    const mayHaveServed = soundsInstance !== undefined || (instance !== undefined && !state);
    if (mayHaveServed) {
      throw new Error(
        `${where} or the bucket has this relay's data already, and may have served apps since. Choose empty ones.`,
      );
    }
    if (state === undefined) await refuseUsed(tx, { where, holdsSounds });
    await tx.run(`TRUNCATE ${["device_counts", "room_counts", ...TABLES].join(", ")}`);
    const begun: MoveState = { id, at: 0 };
    const values = { instance_id: instanceId, is_bound: "1", [MOVE]: JSON.stringify(begun) };
    await tx.query(KEEP, [Object.keys(values), Object.values(values)]);
    return begun;
  });
}

const TABLES = MOVED_TABLES.map(({ table }) => table);

async function refuseUsed(
  tx: Transaction,
  { where, holdsSounds }: { readonly where: string; readonly holdsSounds: boolean },
): Promise<void> {
  const [row] = await tx.query<{ used: boolean }>(IS_USED);
  if (row?.used === true) {
    throw new Error(`${where} already has records of a relay. Choose an empty database.`);
  }
  if (holdsSounds) throw new Error("The bucket already has sounds. Choose an empty one.");
}

/** Advances the state as part of a transaction. @throws {Error} if another program works on the same move */
export async function advance(tx: Transaction, from: MoveState, to: MoveState): Promise<void> {
  const moved = await tx.query(ADVANCE, [JSON.stringify(from), JSON.stringify(to)]);
  if (moved.length === 0) throw new Error("Another program moves the same relay. Let it finish.");
}

/** Keeps values of `upkeep` as part of a transaction. */
export async function keepUpkeep(
  tx: Transaction,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  await tx.query(KEEP, [Object.keys(values), Object.values(values)]);
}

function parseState(text: string): MoveState {
  const state: MoveState = JSON.parse(text);
  return state;
}

const STATEMENT_MS = 600_000;

/** SQL that counts as `relay/storage/postgres/counts.ts` does. */
const COUNT = `
  UPDATE packages SET partial_bytes = coalesce(
      (SELECT sum(stored_bytes) FROM partials WHERE partials.package_id = packages.package_id), 0)
    WHERE partial_bytes <> 0;
  DELETE FROM device_counts;
  INSERT INTO device_counts (device_id, waiting_packages, stored_bytes, reserved_bytes)
    SELECT device_id,
      coalesce(sum(counts) FILTER (WHERE committed_at IS NOT NULL AND outcome IS NULL), 0),
      coalesce(sum(counts * (announced_bytes - missing_bytes)), 0)
        + coalesce(sum(partial_bytes) FILTER (WHERE room_held_until = 0), 0),
      coalesce(sum(missing_bytes) FILTER (WHERE room_held_until > 0), 0)
    FROM devices LEFT JOIN packages USING (device_id) GROUP BY device_id;
  DELETE FROM room_counts;
  INSERT INTO room_counts (tier, bytes)
    SELECT tier, sum(missing_bytes) FROM packages, json_array_elements_text(room_tiers::json) AS tier
    WHERE room_held_until > 0 AND missing_bytes > 0 GROUP BY tier
    UNION ALL
    SELECT '~0', sum(missing_bytes) FROM packages WHERE room_held_until > 0 AND missing_bytes > 0
    HAVING sum(missing_bytes) > 0`;

/** Columns that are numbered by the database. */
const NUMBERED = [
  ["packages", "place"],
  ["first_reports", "seq"],
  ["received", "seq"],
  ["operator_log", "seq"],
] as const;

/** Counts what quotas compare, and continues numbers after the last one that was used, even by a removed row. */
export async function countAgain(
  { database }: Pick<MoveTarget, "database">,
  source: DatabaseSync,
): Promise<void> {
  const used = new Map(
    source
      .prepare("SELECT name, seq FROM sqlite_sequence")
      .all()
      .map((row) => [text(row["name"]), number(row["seq"])]),
  );
  await database.connections.transaction(
    async (tx) => {
      await tx.run(COUNT);
      for (const [table, column] of NUMBERED) {
        const values = [used.get(table) ?? 0];
        await tx.query(
          statement(
            `move_number_${table}`,
            `SELECT setval(pg_get_serial_sequence('${table}', '${column}'),
               greatest(1, $1::bigint, (SELECT coalesce(max(${column}), 0) FROM ${table})))`,
          ),
          values,
        );
      }
    },
    { statementMs: STATEMENT_MS },
  );
}
