import { type PartialTurn, TurnLostError } from "../../domain/ports.ts";
import { ask, statement, type Work } from "./statement.ts";

const LOCK_TURN = statement(
  "lock_turn",
  `SELECT 1 FROM partial_turns
   WHERE package_id = :package_id AND file = :file AND held_turn = :number FOR SHARE`,
  "postgres",
);

/**
 * Keeps the turn for the rest of the change, where processes share the database.
 * @throws {TurnLostError} if it is another call's
 */
export function* requireTurn(turn: PartialTurn | undefined): Work<void> {
  if (turn === undefined) return;
  const { packageId, file, number } = turn;
  const held = yield* ask(LOCK_TURN({ package_id: packageId, file, number }));
  if (held.length === 0) throw turnLost(turn);
}

export function turnLost({ packageId, file, number }: PartialTurn): TurnLostError {
  return new TurnLostError(`Turn ${number} of ${packageId}/${file} is over.`);
}
