import type { DatabaseSync } from "node:sqlite";

/**
 * Acts in a writing transaction, which is rolled back if that throws.
 * @param begin begins it; by default with the wait that the connection has
 */
export function inTransaction<Result>(
  database: DatabaseSync,
  act: () => Result,
  begin: () => void = () => database.exec("BEGIN IMMEDIATE"),
): Result {
  begin();
  try {
    const result = act();
    database.exec("COMMIT");
    return result;
  } finally {
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}
