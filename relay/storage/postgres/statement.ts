import type { Outbox } from "./outbox.ts";

/** One SQL statement. A name makes PostgreSQL prepare it once for each connection. */
export interface Statement {
  readonly name: string;
  /** Parameters are `$1`, `$2`, … */
  readonly text: string;
}

/** What acts in one transaction. */
export interface Transaction {
  /** Queries are answered in order; the caller may send several before it waits. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Its connections' outbox. */
  readonly outbox: Outbox;
  /** Calls `act` after the transaction was committed, or may have been; never after a rollback. */
  onCommitted(act: () => void): void;
}
