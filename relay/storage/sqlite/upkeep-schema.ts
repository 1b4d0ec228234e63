/**
 * What the database remembers of itself (rules Z1, Z6), holds of backups (rule Z10), removals that a restored backup
 * must not undo (rule Z11), and what an operator decides and did (rules AD1, AD2).
 */
export const UPKEEP_SCHEMA = `
  CREATE TABLE upkeep (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
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

  CREATE TABLE blocks (
    -- A network or address in one spelling, or a device's id.
    subject    TEXT PRIMARY KEY,
    kind       TEXT NOT NULL CHECK (kind IN ('address', 'device')),
    blocked_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE denied_sounds (
    sha256    TEXT PRIMARY KEY,
    denied_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- What is switched off.
  CREATE TABLE switches (
    name        TEXT PRIMARY KEY,
    sentence    TEXT,
    switched_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE operator_log (
    seq     INTEGER PRIMARY KEY AUTOINCREMENT,
    at      INTEGER NOT NULL,
    who     TEXT NOT NULL,
    action  TEXT NOT NULL,
    subject TEXT NOT NULL,
    detail  TEXT
  ) STRICT;
`;
