import { type Bound, runLater, type Step, statement, type Work } from "../records/statement.ts";
import type { Notice } from "../records/notices.ts";
import type { Outbox } from "./outbox.ts";

/** The access of one transaction to its connection. */
export interface Transaction {
  /** Sends a query. Queries are answered in order; the caller may send several before it waits. */
  query<Row>(bound: Bound<Row>): Promise<readonly Row[]>;
  /** Sends a statement without waiting for it. If it fails, the transaction is rolled back and rejects with its error. */
  send(bound: Bound): void;
  /** Runs a text of several statements without parameters. */
  run(text: string): Promise<void>;
  /** The outbox of its connections. */
  readonly outbox: Outbox;
  /** Calls `act` after the transaction was committed, or may have been; never after a rollback. */
  onCommitted(act: () => void): void;
}

/** Runs a change or read as part of a transaction. What it asks at once travels together; what it tells isn't waited for. */
export function runIn<Result>(tx: Transaction, work: Work<Result>): Promise<Result> {
  return runLater(work, (step) => act(tx, step));
}

function act(tx: Transaction, step: Step): Promise<readonly (readonly unknown[])[]> | undefined {
  switch (step.kind) {
    case "ask":
      return askEach(step.statements, (bound) => tx.query(bound));
    case "tell":
      for (const bound of step.statements) if (isNeeded(bound)) tx.send(bound);
      return undefined;
    case "notify":
      sendNotices(tx, step.notices);
      return undefined;
    case "note-removal":
      // PostgreSQL's own backups go up to its last moment.
      return undefined;
  }
}

/** Sends statements without waiting for each other. Resolves with the rows of each. */
export function askEach(
  statements: readonly Bound[],
  send: (bound: Bound) => Promise<readonly unknown[]>,
): Promise<readonly (readonly unknown[])[]> {
  return Promise.all(statements.map(async (bound) => (isNeeded(bound) ? send(bound) : [])));
}

function isNeeded({ statement: { only } }: Bound): boolean {
  return only !== "sqlite";
}

/** Writes rows for the other processes. `xid` and `written_at` are the database's. */
const WRITE_NOTICES = statement(
  "write_notices",
  `INSERT INTO outbox (writer, topic, notification)
   SELECT :writer, topic, notification::jsonb
   FROM unnest(:topics::text[], :notifications::text[]) AS told (topic, notification)`,
  "postgres",
);

/** Returns the statement that writes notices. Repeats are merged. */
export function noticesOf(writer: string, notices: readonly Notice[]): Bound {
  const rows = new Map(
    notices.map(({ topic, notification }) => {
      const text = notification === undefined ? null : JSON.stringify(notification);
      return [`${topic} ${text}`, { topic, text }];
    }),
  );
  const all = [...rows.values()];
  return WRITE_NOTICES({
    writer,
    topics: all.map(({ topic }) => topic),
    notifications: all.map(({ text }) => text),
  });
}

/**
 * Tells the other processes of a change, as part of its transaction: they hear it if and only if the change is
 * committed, even if this process ends right after that. Waits for no answer: if the statement fails, the transaction
 * does. It never sends NOTIFY: that would make all writers of the database wait for each other.
 */
function sendNotices(tx: Transaction, notices: readonly Notice[]): void {
  tx.send(noticesOf(tx.outbox.writer, notices));
  tx.onCommitted(() => tx.outbox.told.call(notices));
}
