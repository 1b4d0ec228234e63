import type { DatabaseSync } from "node:sqlite";
import type { KeptPartial } from "../../domain/ports.ts";
import { addressWindows } from "./address-window.ts";

/** A key that is being uploaded until `endsAt`. */
export interface PendingKey {
  readonly key: string;
  readonly endsAt: number;
  /** Name of a file that may be sent in several calls. */
  readonly file: string | undefined;
}

/** The times by which keys have ended. */
export interface EndedKeys {
  readonly time: number;
  readonly partialsTime: number;
}

/** The writes for the keys of sounds that no package has. Each runs inside its caller's transaction. */
export function soundKeyWrites(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO sound_keys (key, state, ends_at) VALUES (?, 'pending', ?)
     ON CONFLICT (key) DO NOTHING`,
  );
  const holder = database.prepare(
    `SELECT 1 FROM packages, json_each(uploaded)
     WHERE package_id = ? AND files_deleted = 0 AND value ->> 1 = ?`,
  );
  const doom = database.prepare(
    `UPDATE sound_keys SET state = 'doomed' WHERE state = 'pending' AND ends_at <= ?
     AND (ends_at <= ? OR key NOT IN (SELECT key FROM partials))`,
  );
  const remove = database.prepare("DELETE FROM sound_keys WHERE key = ?");
  const addPartial = partialAdder(database);

  return {
    /**
     * Adds a pending key.
     * @throws if the key is pending, doomed, or part of the package that it names, or if its file has a partial
     */
    addPending({ key, endsAt, file }: PendingKey): void {
      const [packageId = ""] = key.split("/");
      const isFree =
        holder.get(packageId, key) === undefined && insert.run(key, endsAt).changes === 1;
      if (!isFree) throw new Error(`The key ${key} is in use.`);
      if (file !== undefined) addPartial(key, file);
    },
    doomPending({ time, partialsTime }: EndedKeys): void {
      doom.run(time, partialsTime);
    },
    removeKeys(keys: readonly string[]): void {
      for (const key of keys) remove.run(key);
    },
  };
}

/**
 * Returns a function that moves keys when a package changes from holding some to holding others: new ones must be
 * pending, and those that leave are doomed. It returns false, and moves nothing, if a new one isn't pending.
 */
export function keyMover(database: DatabaseSync) {
  const pending = database.prepare("SELECT 1 FROM sound_keys WHERE key = ? AND state = 'pending'");
  const take = database.prepare("DELETE FROM sound_keys WHERE key = ?");
  const doom = database.prepare(
    "INSERT INTO sound_keys (key, state, ends_at) VALUES (?, 'doomed', 0)",
  );
  return (before: ReadonlySet<string>, after: ReadonlySet<string>): boolean => {
    const added = [...after].filter((key) => !before.has(key));
    if (added.some((key) => pending.get(key) === undefined)) return false;
    for (const key of added) take.run(key);
    for (const key of before) if (!after.has(key)) doom.run(key);
    return true;
  };
}

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

/**
 * Returns a function that assigns a file to a partial.
 * @throws if that file has a partial already, which undoes the transaction
 */
function partialAdder(database: DatabaseSync): (key: string, file: string) => void {
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
