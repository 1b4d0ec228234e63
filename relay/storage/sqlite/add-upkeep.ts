/**
 * The third migration: what the database remembers of itself (rules Z1, Z6), holds of backups (rule Z10), removals
 * that a restored backup must not undo (rule Z11), and room that is free once the files are deleted (rule Z5).
 */
export const ADD_UPKEEP = `
  CREATE TABLE upkeep (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO upkeep (name, value) SELECT 'has_served', '1' WHERE EXISTS (SELECT 1 FROM devices);
  INSERT INTO upkeep (name, value)
    SELECT 'time', latest FROM (
      SELECT max(coalesce((SELECT max(last_seen_at) FROM devices), 0),
        coalesce((SELECT max(coalesce(committed_at, created_at)) FROM packages), 0)) AS latest)
    WHERE latest > 0;
  CREATE TRIGGER note_first_device AFTER INSERT ON devices
  BEGIN
    INSERT INTO upkeep (name, value) VALUES ('has_served', '1') ON CONFLICT DO NOTHING;
  END;

  CREATE TABLE deletion_holds (
    holder  TEXT PRIMARY KEY,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE removals (
    seq  INTEGER PRIMARY KEY AUTOINCREMENT,
    at   INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id   TEXT NOT NULL
  ) STRICT;

  UPDATE packages SET counts = 0 WHERE files_deleted = 1 AND counts = 1;
`;
