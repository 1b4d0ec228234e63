import { type PoolConfig, types } from "pg";
import { unescapeText } from "./escape-text.ts";

export const CONNECT_MS = 5000;
export const STATEMENT_MS = 10_000;
export const LOCK_MS = 5000;
/** Longer than a statement may take: what isn't answered by then, its connection won't answer. */
export const ANSWER_MS = STATEMENT_MS + LOCK_MS;
/** A process that stops in the middle of a transaction keeps its rows locked for as long. */
export const IDLE_IN_TRANSACTION_MS = ANSWER_MS;

/**
 * A prepared statement is planned once for each connection. Left to itself, PostgreSQL plans those of several parts again
 * each time, which for an announcement took longer than its execution. Options in the URL replace these.
 */
const GENERIC_PLANS = "-c plan_cache_mode=force_generic_plan";

/** A pooler refuses settings of a session, so they come with each transaction there. */
export function configOf(url: string, isPooled: boolean): PoolConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: ANSWER_MS,
    keepAlive: true,
    types: { getTypeParser: parserOf },
    ...(isPooled
      ? {}
      : {
          application_name: "soundferry-relay",
          options: GENERIC_PLANS,
          statement_timeout: STATEMENT_MS,
          lock_timeout: LOCK_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
        }),
  };
}

/** Times and counters are whole numbers below 2^53. */
const parserOf: typeof types.getTypeParser = (oid, format: "text" | "binary" = "text") => {
  if (oid === types.builtins.INT8) return Number;
  if (oid === types.builtins.TEXT) return unescapeText;
  return types.getTypeParser(oid, format);
};

const BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";
const XID = "SELECT pg_current_xact_id()::text AS xid";

/** What begins a transaction. @param asksId whether the last answer is its id */
export function beginning(isPooled: boolean, statementMs: number, asksId: boolean): string {
  const hasSettings = !isPooled && statementMs === STATEMENT_MS;
  const settings = [
    `SET LOCAL statement_timeout = ${statementMs}`,
    `SET LOCAL lock_timeout = ${Math.max(LOCK_MS, statementMs / 2)}`,
    `SET LOCAL idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
  ];
  return [BEGIN, ...(hasSettings ? [] : settings), ...(asksId ? [XID] : [])].join("; ");
}
