/**
 * What an operator decides, and what was done (rules AD1, AD2), and whether a device was ever paired (rule AD9). Of
 * devices that were registered before, nobody knows that; they count as paired.
 */
export const ADD_OPERATOR = `
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

  ALTER TABLE devices ADD COLUMN has_paired INTEGER NOT NULL DEFAULT 0;
  UPDATE devices SET has_paired = 1;
  CREATE INDEX devices_never_paired ON devices (last_seen_at) WHERE has_paired = 0;
  CREATE TRIGGER note_first_pairing AFTER INSERT ON pairings
  BEGIN
    UPDATE devices SET has_paired = 1 WHERE device_id = NEW.device_id AND has_paired = 0;
  END;
`;
