import type { DatabaseSync } from "node:sqlite";
import type { KeptPartial } from "../../domain/ports.ts";
import { addressWindows } from "./address-window.ts";

/** The writes for files that are sent in several calls. Each runs inside its caller's transaction. */
export function partialWrites(database: DatabaseSync) {
  const addresses = addressWindows(database);
  const keep = database.prepare("UPDATE partials SET stored_bytes = ? WHERE key = ?");
  const doom = database.prepare(
    "UPDATE sound_keys SET state = 'doomed' WHERE key IN (SELECT key FROM partials WHERE key = ?)",
  );
  return {
    keepPartial({ key, storedBytes, received }: KeptPartial): boolean {
      if (keep.run(storedBytes, key).changes === 0) return false;
      if (received.bytes > 0) addresses.add(received);
      return true;
    },
    doomPartial(key: string): void {
      doom.run(key);
    },
  };
}

/** Returns a function that gives a partial its file. @throws if that file has one, which undoes the transaction */
export function partialAdder(database: DatabaseSync): (key: string, file: string) => void {
  const insert = database.prepare(
    `INSERT INTO partials (key, package_id, file) VALUES (?, ?, ?)
     ON CONFLICT (package_id, file) DO NOTHING`,
  );
  return (key, file) => {
    const [packageId = ""] = key.split("/");
    if (insert.run(key, packageId, file).changes === 1) return;
    throw new Error(`${packageId} has a partial of ${file} already.`);
  };
}
