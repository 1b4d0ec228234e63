import { type PartialTurn, TurnLostError } from "../../domain/ports.ts";
import { hasRows, statement, type Work } from "./statement.ts";

const LOCK_TURN = statement(
  "lock_turn",
  `SELECT 1 FROM partial_turns
   WHERE package_id = :packageId AND file = :file AND held_turn = :number FOR SHARE`,
  "postgres",
);

/**
 * Keeps the turn for the rest of the change, where processes share the database.
 * @throws {TurnLostError} if it is another call's
 */
export function* requireTurn(turn: PartialTurn | undefined): Work<void> {
  if (turn === undefined) return;
  if (!(yield* hasRows(LOCK_TURN({ ...turn })))) throw turnLost(turn);
}

export function turnLost({ packageId, file, number }: PartialTurn): TurnLostError {
  return new TurnLostError(`Turn ${number} of ${packageId}/${file} is over.`);
}
