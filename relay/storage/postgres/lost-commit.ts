import { setTimeout as sleep } from "node:timers/promises";
import type { ClientLine } from "./client-line.ts";
import { isLost, OutcomeUnknownError } from "./connection-errors.ts";
import { type Bound, statement } from "../records/statement.ts";

const STATUS = statement(
  "transaction_status",
  "SELECT pg_xact_status(:xid::xid8) AS status",
  "postgres",
);
const ASK_EVERY_MS = 50;
/** Longest wait for the end of a transaction. PostgreSQL ends it sooner, unless it waits for a standby. */
const LONGEST_MS = 3000;

/**
 * Commits. Returns PostgreSQL's answer, which is `ROLLBACK` if a statement had failed.
 * @throws OutcomeUnknownError if there is no answer
 */
export async function commit(line: ClientLine, where: string): Promise<string> {
  try {
    return (await line.run("COMMIT")).command;
  } catch (error) {
    throw isLost(error) ? unknownOutcome(error, where) : error;
  }
}

export function unknownOutcome(cause: unknown, where: string): OutcomeUnknownError {
  const sentence = `${where}: The connection was lost during a change. Whether it was made is unknown.`;
  return new OutcomeUnknownError(sentence, { cause, code: "ECONNRESET" });
}

/** Returns the id in the answer to the statements that begin a transaction. */
export function xidIn(answers: unknown): string | undefined {
  const last: unknown = Array.isArray(answers) ? answers.at(-1) : undefined;
  if (typeof last !== "object" || last === null || !("rows" in last)) return undefined;
  const [row]: unknown[] = Array.isArray(last.rows) ? last.rows : [];
  if (typeof row !== "object" || row === null || !("xid" in row)) return undefined;
  return typeof row.xid === "string" ? row.xid : undefined;
}

/**
 * Waits until a transaction whose COMMIT was cut off has ended. `aborted` is certain. `committed` is not, because a
 * server that crashed before it wrote anything of that transaction gives its id to another one. So the caller looks
 * for the change.
 * @param ask opens another connection if it has to
 */
export async function findEnd(
  xid: string,
  ask: (bound: Bound) => Promise<readonly unknown[]>,
): Promise<"committed" | "aborted" | "in progress" | "unknown"> {
  const began = performance.now();
  while (performance.now() - began < LONGEST_MS) {
    const status = statusIn(await ask(STATUS({ xid })).catch(() => []));
    if (status !== "in progress" && status !== "unreachable") return status;
    await sleep(ASK_EVERY_MS);
  }
  return "in progress";
}

function statusIn(rows: readonly unknown[]) {
  const [row] = rows;
  if (typeof row !== "object" || row === null || !("status" in row)) return "unreachable";
  const { status } = row;
  return status === "committed" || status === "aborted" || status === "in progress"
    ? status
    : "unknown";
}
