import { setTimeout as sleep } from "node:timers/promises";
import type { Statement } from "./statement.ts";
import { statement } from "./statement.ts";

const STATUS = statement("transaction_status", "SELECT pg_xact_status($1::xid8) AS status");
const ASK_EVERY_MS = 50;
/** PostgreSQL ends it sooner, unless it waits for a standby. */
const LONGEST_MS = 3000;

/** The id in the answer to the statements that begin a transaction. */
export function xidIn(answers: unknown): string | undefined {
  const last: unknown = Array.isArray(answers) ? answers.at(-1) : undefined;
  if (typeof last !== "object" || last === null || !("rows" in last)) return undefined;
  const [row]: unknown[] = Array.isArray(last.rows) ? last.rows : [];
  if (typeof row !== "object" || row === null || !("xid" in row)) return undefined;
  return typeof row.xid === "string" ? row.xid : undefined;
}

/**
 * Waits until a transaction has ended whose COMMIT was cut off. `aborted` is certain. `committed` is not: a server that
 * crashed before it wrote anything of that transaction gives its id to another one. So the caller looks for the change.
 * @param ask opens another connection if it has to
 */
export async function findEnd(
  xid: string,
  ask: (statement: Statement, values: readonly unknown[]) => Promise<readonly unknown[]>,
): Promise<"committed" | "aborted" | "in progress" | "unknown"> {
  const began = performance.now();
  while (performance.now() - began < LONGEST_MS) {
    const status = statusIn(await ask(STATUS, [xid]).catch(() => []));
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
