import type { Outbox } from "./outbox.ts";

/** One SQL statement. A name makes PostgreSQL prepare it once for each connection. */
export interface Statement {
  readonly name: string;
  /** Parameters are `$1`, `$2`, … */
  readonly text: string;
}

/** The access of one transaction to its connection. */
export interface Transaction {
  /** Sends a query. Queries are answered in order; the caller may send several before it waits. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Sends a statement without waiting for it. If it fails, the transaction is rolled back and rejects with its error. */
  send(statement: Statement, values?: readonly unknown[]): void;
  /** Runs a text of several statements without parameters. */
  run(text: string): Promise<void>;
  /** The outbox of its connections. */
  readonly outbox: Outbox;
  /** Calls `act` after the transaction was committed, or may have been; never after a rollback. */
  onCommitted(act: () => void): void;
}

/** Makes a statement. Its name is the same for every process. */
export function statement(name: string, text: string): Statement {
  return { name, text };
}
