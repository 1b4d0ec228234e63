import { setTimeout as sleep } from "node:timers/promises";
import { isLost, OutcomeUnknownError } from "./connection-errors.ts";
import { type Bound, statement } from "../records/statement.ts";

const STATUS = statement<{ readonly status: "committed" | "aborted" | "in progress" | null }>(
  "transaction_status",
  "SELECT pg_xact_status(:xid::xid8) AS status",
  "postgres",
);
const ASK_EVERY_MS = 50;
/** Longest wait for the end of a transaction. PostgreSQL ends it sooner, unless it waits for a standby. */
const LONGEST_MS = 3000;

/** Converts the loss of a connection over which a change was sent. Returns any other error as it is. */
export function unknownIfLost(cause: unknown, where: string): unknown {
  if (!isLost(cause)) return cause;
  const sentence = `${where}: The connection was lost during a change. Whether it was made is unknown.`;
  return new OutcomeUnknownError(sentence, { cause, code: "ECONNRESET" });
}

/**
 * Waits until a transaction whose COMMIT was cut off has ended. `aborted` is certain. `committed` is not, because a
 * server that crashed before it wrote anything of that transaction gives its id to another one. So the caller looks
 * for the change.
 * @param ask opens another connection if it has to
 * @returns null if the database doesn't know
 */
export async function findEnd(
  xid: string,
  ask: <Row>(bound: Bound<Row>) => Promise<readonly Row[]>,
): Promise<"committed" | "aborted" | "in progress" | null> {
  const endsAt = performance.now() + LONGEST_MS;
  while (performance.now() < endsAt) {
    const [row] = await ask(STATUS({ xid })).catch(() => []);
    if (row !== undefined && row.status !== "in progress") return row.status;
    await sleep(ASK_EVERY_MS);
  }
  return "in progress";
}
