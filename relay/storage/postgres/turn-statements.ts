import type { PartialTurn } from "../../domain/ports.ts";
import type { Connections } from "./connections.ts";
import type { Statement } from "./statement.ts";

/** Time after which a turn lapses. Its process renews it every second. */
export const TURN_LAPSES_MS = 4_000;
/** Time after which the row of a file whose turn nobody took is deleted. */
const FORGOTTEN_MS = 600_000;
const SWEPT_AT_ONCE = 5_000;

/** True if the turn is nobody's, or belongs to a process that was killed or lost the database. */
const IS_FREE = `(turn.held_turn IS NULL
  OR turn.renewed_at < clock_timestamp() - interval '${TURN_LAPSES_MS} milliseconds')`;

/** Takes a turn, or announces that it is wanted. A sequence makes sure that no number comes again. */
export const TAKE_TURN: Statement = {
  name: "take_turn",
  text: `WITH number AS MATERIALIZED (SELECT nextval('partial_turn_numbers') AS it),
    taken AS (
      INSERT INTO partial_turns AS turn (package_id, file, last_turn, held_turn, renewed_at)
        SELECT $1, $2, it, it, clock_timestamp() FROM number
      ON CONFLICT (package_id, file) DO UPDATE SET
        last_turn = greatest(turn.last_turn, excluded.last_turn),
        held_turn = CASE WHEN ${IS_FREE} AND excluded.last_turn > turn.last_turn
          THEN excluded.last_turn ELSE turn.held_turn END,
        renewed_at = CASE WHEN ${IS_FREE} AND excluded.last_turn > turn.last_turn
          THEN excluded.renewed_at ELSE turn.renewed_at END
      RETURNING last_turn, held_turn
    )
    SELECT number.it AS number, held_turn IS NOT DISTINCT FROM number.it AS is_held, last_turn = number.it AS is_last
      FROM number, taken`,
};

/** Takes the turn for the newest call when it is free. */
export const AWAIT_TURN: Statement = {
  name: "await_turn",
  text: `WITH taken AS (
      UPDATE partial_turns AS turn SET held_turn = last_turn, renewed_at = clock_timestamp()
        WHERE package_id = $1 AND file = $2 AND last_turn = $3 AND ${IS_FREE} RETURNING 1
    )
    SELECT EXISTS (SELECT FROM taken) AS is_held, EXISTS (
      SELECT FROM partial_turns WHERE package_id = $1 AND file = $2 AND last_turn = $3
    ) AS is_last`,
};

/** Ends the call that has the turn, without taking it. */
export const END_TURN: Statement = {
  name: "end_turn",
  text: `UPDATE partial_turns SET last_turn = greatest(last_turn, nextval('partial_turn_numbers'))
    WHERE package_id = $1 AND file = $2 AND held_turn IS NOT NULL RETURNING held_turn AS number`,
};

export const IS_TURN_OVER: Statement = {
  name: "is_turn_over",
  text: `SELECT NOT EXISTS (
      SELECT FROM partial_turns AS turn
        WHERE package_id = $1 AND file = $2 AND held_turn = $3 AND NOT ${IS_FREE}
    ) AS is_over`,
};

export const RELEASE_TURN: Statement = {
  name: "release_turn",
  text: "UPDATE partial_turns SET held_turn = NULL WHERE package_id = $1 AND file = $2 AND held_turn = $3",
};

/**
 * Renews turns, and tells which of them are still held and which are wanted. It waits for nobody: a locked row
 * belongs to a change that needs the turn, and is renewed the next time.
 */
export const RENEW_TURNS: Statement = {
  name: "renew_turns",
  text: `WITH held AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS held (package_id, file, number)
    ), free AS (
      SELECT turn.package_id, turn.file, number FROM partial_turns AS turn JOIN held USING (package_id, file)
        WHERE held_turn = number ORDER BY 1, 2 FOR NO KEY UPDATE OF turn SKIP LOCKED
    ), renewed AS (
      UPDATE partial_turns AS turn SET renewed_at = clock_timestamp() FROM free
        WHERE turn.package_id = free.package_id AND turn.file = free.file RETURNING number
    )
    SELECT held.number, turn.held_turn IS NOT DISTINCT FROM held.number AS is_held,
      turn.last_turn IS DISTINCT FROM held.number AS is_wanted, renewed.number IS NOT NULL AS is_renewed
      FROM held LEFT JOIN partial_turns AS turn USING (package_id, file) LEFT JOIN renewed USING (number)`,
};

/** Locks a turn for a change that only its call may make. The transaction keeps others from taking it. */
export const LOCK_TURN: Statement = {
  name: "lock_turn",
  text: "SELECT 1 FROM partial_turns WHERE package_id = $1 AND file = $2 AND held_turn = $3 FOR SHARE",
};

const SWEEP_TURNS: Statement = {
  name: "sweep_turns",
  text: `DELETE FROM partial_turns WHERE (package_id, file) IN (
      SELECT package_id, file FROM partial_turns WHERE renewed_at < clock_timestamp() - interval '${FORGOTTEN_MS} milliseconds'
        LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
};

/** Forgets the turns of files that nobody has continued for a while. */
export async function sweepTurns(connections: Pick<Connections, "write">): Promise<void> {
  await connections.write(SWEEP_TURNS);
}

/** Returns the values of a statement about one turn. */
export function valuesOf({ packageId, file, number }: PartialTurn): readonly unknown[] {
  return [packageId, file, number];
}
