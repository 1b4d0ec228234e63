import type { DatabaseSync } from "node:sqlite";

/**
 * Returns a function that calls `onChange` if another connection has committed since the last call, or since
 * the start. This connection's own commits don't count. It never throws.
 * @throws if the database can't be read now
 */
export function changeFinder(database: DatabaseSync, onChange: () => void): () => void {
  const version = database.prepare("PRAGMA data_version");
  const read = () => version.get()?.["data_version"];
  let seen = read();
  return () => {
    try {
      const current = read();
      if (current === seen) return;
      seen = current;
    } catch {
      // What can't be read now may have changed. Going on is safe: a call for no reason is allowed.
    }
    onChange();
  };
}
