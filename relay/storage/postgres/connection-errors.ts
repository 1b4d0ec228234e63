import { StoreBusyError, StoreFullError, StoreTroubleError } from "../../domain/ports.ts";
import { codeOf } from "../error-codes.ts";

/**
 * The connection was lost during COMMIT, so nobody knows whether the change is in the database. The caller looks for
 * the change where it can. Otherwise the call counts as not done, and is safe to repeat.
 */
export class OutcomeUnknownError extends StoreTroubleError {}

/** SQLSTATEs of two transactions that conflict: a deadlock, and a conflict of snapshots. */
const CONFLICTS = new Set(["40001", "40P01"]);
/** SQLSTATEs of a statement that took too long, or whose wait for a lock did (57014, 55P03). */
const TOO_LONG = new Set(["57014", "55P03"]);
const DISK_FULL = "53100";

/** Checks whether the same transaction may succeed if it is repeated right away. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** Messages of pg's own errors, which have no code. */
const LOST_WORDS =
  /^(Connection terminated|Query read timeout|timeout expired|Client has encountered a connection error|Client was closed)/;
const SYSTEM_CODES =
  /^E(CONNREFUSED|CONNRESET|CONNABORTED|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NETDOWN|NOTFOUND|AI_AGAIN|NOENT)$/;
/**
 * SQLSTATEs of PostgreSQL, and of poolers before it, for a lost connection: connection exceptions (08), the server
 * stops, crashed or starts (57P01 to 57P05), an idle transaction was ended (25P03), and it has become a standby
 * (25006).
 */
const LOST_STATES = /^(08...|57P0[1-5]|25P03|25006)$/;

/** Checks whether the connection is lost, so that another one may work. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error);
  if (LOST_STATES.test(code) || SYSTEM_CODES.test(code)) return true;
  return error instanceof Error && code === "" && LOST_WORDS.test(error.message);
}

/**
 * SQLSTATEs of a database in trouble: too many connections (53300), no access (28), no database (3D000), no memory
 * (53200), trouble with files (58, XX).
 */
const TROUBLE_STATES = /^(53...|28...|3D000|58...|XX...)$/;

/**
 * Converts an error to the one that a port names, with a sentence for the operator. Returns the same error unless it
 * is the database's trouble.
 * @param where the database without its password
 */
export function nameError(error: unknown, where: string): unknown {
  if (error instanceof StoreTroubleError || error instanceof StoreBusyError) return error;
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  const options = { cause: error };
  if (isConflict(error) || TOO_LONG.has(code) || error.message.startsWith("timeout exceeded")) {
    return new StoreBusyError(`${where} is busy: ${error.message}`, options);
  }
  if (code === DISK_FULL) {
    return new StoreFullError(`${where}: The database's disk is full. Free some space.`, options);
  }
  if (!isLost(error) && !TROUBLE_STATES.test(code)) return error;
  const sentence = `${where} can't be used: ${error.message || code}`;
  return new StoreTroubleError(sentence, { ...options, code: code || "ECONNRESET" });
}

/** Formats a database's address without user and password. */
export function whereOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `The database ${host}${pathname}`;
  } catch {
    return "The database";
  }
}
