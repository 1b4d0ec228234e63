import { statement } from "../records/statement.ts";

/** Time after which a turn lapses. Its process renews it every second. */
export const TURN_LAPSES_MS = 4_000;
/** Time after which the row of a file whose turn nobody took is deleted. */
const FORGOTTEN_MS = 600_000;
const SWEPT_AT_ONCE = 5_000;

/** True if the turn is nobody's, or belongs to a process that was killed or lost the database. */
const IS_FREE = `(turn.held_turn IS NULL
  OR turn.renewed_at < clock_timestamp() - interval '${TURN_LAPSES_MS} milliseconds')`;

/** The state of a turn that a call wants. */
interface TurnState {
  readonly isHeld: boolean;
  readonly isLast: boolean;
}

export interface RenewedTurn {
  readonly number: number;
  readonly isHeld: boolean;
  readonly isWanted: boolean;
  readonly isRenewed: boolean;
}

/** Takes a turn, or announces that it is wanted. A sequence makes sure that no number comes again. */
export const TAKE_TURN = statement<TurnState & { readonly number: number }>(
  "take_turn",
  `WITH number AS MATERIALIZED (SELECT nextval('partial_turn_numbers') AS it),
    taken AS (
      INSERT INTO partial_turns AS turn (package_id, file, last_turn, held_turn, renewed_at)
        SELECT :packageId, :file, it, it, clock_timestamp() FROM number
      ON CONFLICT (package_id, file) DO UPDATE SET
        last_turn = greatest(turn.last_turn, excluded.last_turn),
        held_turn = CASE WHEN ${IS_FREE} AND excluded.last_turn > turn.last_turn
          THEN excluded.last_turn ELSE turn.held_turn END,
        renewed_at = CASE WHEN ${IS_FREE} AND excluded.last_turn > turn.last_turn
          THEN excluded.renewed_at ELSE turn.renewed_at END
      RETURNING last_turn, held_turn
    )
    SELECT number.it AS number, held_turn IS NOT DISTINCT FROM number.it AS "isHeld", last_turn = number.it AS "isLast"
      FROM number, taken`,
  "postgres",
);

/** Takes the turn for the newest call when it is free. */
export const AWAIT_TURN = statement<TurnState>(
  "await_turn",
  `WITH taken AS (
      UPDATE partial_turns AS turn SET held_turn = last_turn, renewed_at = clock_timestamp()
        WHERE package_id = :packageId AND file = :file AND last_turn = :number AND ${IS_FREE} RETURNING 1
    )
    SELECT EXISTS (SELECT FROM taken) AS "isHeld", EXISTS (
      SELECT FROM partial_turns WHERE package_id = :packageId AND file = :file AND last_turn = :number
    ) AS "isLast"`,
  "postgres",
);

/** Ends the call that has the turn, without taking it. */
export const END_TURN = statement<{ readonly number: number }>(
  "end_turn",
  `UPDATE partial_turns SET last_turn = greatest(last_turn, nextval('partial_turn_numbers'))
    WHERE package_id = :packageId AND file = :file AND held_turn IS NOT NULL RETURNING held_turn AS number`,
  "postgres",
);

/** Answers a row while a call has the turn. */
export const TURN_IS_HELD = statement(
  "turn_is_held",
  `SELECT 1 FROM partial_turns AS turn
    WHERE package_id = :packageId AND file = :file AND held_turn = :number AND NOT ${IS_FREE}`,
  "postgres",
);

export const RELEASE_TURN = statement(
  "release_turn",
  "UPDATE partial_turns SET held_turn = NULL WHERE package_id = :packageId AND file = :file AND held_turn = :number",
  "postgres",
);

/**
 * Renews turns, and tells which of them are still held and which are wanted. It waits for nobody: a locked row
 * belongs to a change that needs the turn, and is renewed the next time.
 */
export const RENEW_TURNS = statement<RenewedTurn>(
  "renew_turns",
  `WITH held AS (
      SELECT * FROM unnest(:packageIds::text[], :files::text[], :numbers::bigint[]) AS held (package_id, file, number)
    ), free AS (
      SELECT turn.package_id, turn.file, number FROM partial_turns AS turn JOIN held USING (package_id, file)
        WHERE held_turn = number ORDER BY 1, 2 FOR NO KEY UPDATE OF turn SKIP LOCKED
    ), renewed AS (
      UPDATE partial_turns AS turn SET renewed_at = clock_timestamp() FROM free
        WHERE turn.package_id = free.package_id AND turn.file = free.file RETURNING number
    )
    SELECT held.number, turn.held_turn IS NOT DISTINCT FROM held.number AS "isHeld",
      turn.last_turn IS DISTINCT FROM held.number AS "isWanted", renewed.number IS NOT NULL AS "isRenewed"
      FROM held LEFT JOIN partial_turns AS turn USING (package_id, file) LEFT JOIN renewed USING (number)`,
  "postgres",
);

/** Forgets the turns of files that nobody has continued for a while. */
export const SWEEP_TURNS = statement(
  "sweep_turns",
  `DELETE FROM partial_turns WHERE (package_id, file) IN (
      SELECT package_id, file FROM partial_turns WHERE renewed_at < clock_timestamp() - interval '${FORGOTTEN_MS} milliseconds'
        LIMIT ${SWEPT_AT_ONCE} FOR UPDATE SKIP LOCKED)`,
  "postgres",
);
