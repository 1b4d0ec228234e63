import type { DatabaseSync } from "node:sqlite";

/** Who does something, and when, for the log of operations (rule AD2). */
export interface ByWhom {
  readonly who: string;
  /** Relay time. */
  readonly at: number;
}

/** One row of that log. */
export interface Operation extends ByWhom {
  readonly action: string;
  readonly subject: string;
  readonly detail?: string | undefined;
}

/** Returns a function that writes a row of the log inside its caller's transaction. */
export function operationLog(database: DatabaseSync): (operation: Operation) => void {
  const insert = database.prepare(
    "INSERT INTO operator_log (at, who, action, subject, detail) VALUES (?, ?, ?, ?, ?)",
  );
  return ({ at, who, action, subject, detail }) =>
    void insert.run(at, who, action, subject, detail ?? null);
}

/** What a relay writes there. Runs inside its caller's transaction. */
export function operatorLogWrites(database: DatabaseSync) {
  const forget = database.prepare("DELETE FROM operator_log WHERE at < ?");
  return {
    forgetOperatorLog(before: number): void {
      forget.run(before);
    },
  };
}
