import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { raiseNeededSchema } from "../../../../relay/storage/records/needed-schema.ts";
import { MIGRATIONS } from "../../../../relay/storage/sqlite/migrations.ts";
import { openForWriting } from "../../../../relay/storage/sqlite/open-database.ts";

const NEXT = MIGRATIONS.length + 1;

/** A migration that older versions don't notice. */
const EXPAND = `
  ALTER TABLE devices ADD COLUMN of_the_future TEXT NOT NULL DEFAULT 'old';
  ALTER TABLE packages ADD COLUMN of_the_future INTEGER;
  UPDATE packages SET of_the_future = announced_bytes;
  CREATE INDEX packages_of_the_future ON packages (of_the_future);
  CREATE TABLE futures (device_id TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE) STRICT;
  CREATE TRIGGER note_future AFTER INSERT ON devices
  BEGIN
    INSERT INTO futures (device_id) VALUES (NEW.device_id);
  END;
`;

/** Takes away what this version needs. */
const CONTRACT = `ALTER TABLE pairings DROP COLUMN last_seen_at; ${raiseNeededSchema(NEXT)}`;

export const NEXT_MIGRATIONS = [...MIGRATIONS, EXPAND];

/** Opens the database of a folder as the next version would, which updates it. */
export function openAsNextVersion(folder: string): DatabaseSync {
  return openForWriting(folder, undefined, NEXT_MIGRATIONS);
}

/** Changes a folder's database, or a new one, as the next version would when it first starts. */
export function expandDatabase(folder: string): void {
  openForWriting(folder).close();
  openAsNextVersion(folder).close();
}

/** The same by a version that no longer has what this one needs. */
export function contractDatabase(folder: string): void {
  openForWriting(folder).close();
  openForWriting(folder, undefined, [...MIGRATIONS, CONTRACT]).close();
}

/** Returns the version and the SQL of a folder's schema. */
export function schemaIn(folder: string): { readonly version: unknown; readonly schema: unknown } {
  using database = new DatabaseSync(join(folder, "relay.sqlite"), { readOnly: true });
  return {
    version: database.prepare("PRAGMA user_version").get()?.["user_version"],
    schema: database.prepare("SELECT sql FROM sqlite_schema ORDER BY name").all(),
  };
}
