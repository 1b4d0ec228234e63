/** The tables of devices, apps and packages. Times are milliseconds since 1970, UTC; flags are 0 or 1. */
export const RECORDS_SCHEMA = `
  CREATE TABLE devices (
    device_id        TEXT PRIMARY KEY,
    device_name      TEXT NOT NULL,
    token_hash       TEXT NOT NULL UNIQUE,
    registered_at    INTEGER NOT NULL,
    last_seen_at     INTEGER NOT NULL,
    waiting_packages INTEGER NOT NULL DEFAULT 0,
    stored_bytes     INTEGER NOT NULL DEFAULT 0,
    reserved_bytes   INTEGER NOT NULL DEFAULT 0,
    -- Whether it was ever paired (rule AD9).
    has_paired       INTEGER NOT NULL DEFAULT 0,
    -- On how many days it imported something, as far as rule L7 asks for it. Days are whole ones since 1970.
    import_days      INTEGER NOT NULL DEFAULT 0,
    first_import_day INTEGER,
    last_import_day  INTEGER
  ) STRICT;
  CREATE INDEX devices_never_paired ON devices (last_seen_at) WHERE has_paired = 0;

  CREATE TABLE pairing_codes (
    device_id  TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    code_hash  TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
  ) STRICT;

  -- Claims of right codes that wait for a yes in the panel, one for each device at most (rule P12).
  CREATE TABLE pairing_requests (
    device_id  TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    request_id TEXT NOT NULL,
    app_id     TEXT NOT NULL,
    app_name   TEXT NOT NULL,
    address    TEXT NOT NULL,
    network    TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    state      TEXT NOT NULL,
    allowed_at INTEGER
  ) STRICT;

  CREATE TABLE pairings (
    pairing_id   TEXT PRIMARY KEY,
    device_id    TEXT NOT NULL REFERENCES devices ON DELETE CASCADE,
    app_id       TEXT NOT NULL,
    app_name     TEXT NOT NULL,
    paired_at    INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    UNIQUE (device_id, app_id)
  ) STRICT;
  CREATE TRIGGER note_first_pairing AFTER INSERT ON pairings
  BEGIN
    UPDATE devices SET has_paired = 1 WHERE device_id = NEW.device_id AND has_paired = 0;
  END;

  CREATE TABLE app_tokens (
    token_hash TEXT PRIMARY KEY,
    pairing_id TEXT NOT NULL REFERENCES pairings ON DELETE CASCADE,
    made       INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX app_tokens_of_pairing ON app_tokens (pairing_id, made);

  -- Claims that can be repeated when their answer is lost, and their tokens (rule P13).
  CREATE TABLE repeatable_claims (
    repeat_hash TEXT PRIMARY KEY,
    token_hash  TEXT NOT NULL UNIQUE REFERENCES app_tokens ON DELETE CASCADE ON UPDATE CASCADE,
    arrived_at  INTEGER NOT NULL,
    ends_at     INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE packages (
    package_id      TEXT PRIMARY KEY,
    device_id       TEXT NOT NULL REFERENCES devices ON DELETE CASCADE,
    app_id          TEXT NOT NULL,
    app_name        TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    announced_bytes INTEGER NOT NULL,
    missing_bytes   INTEGER NOT NULL,
    -- Of files that are sent in several calls.
    partial_bytes   INTEGER NOT NULL DEFAULT 0,
    upload_ends_at  INTEGER NOT NULL,
    committed_at    INTEGER,
    wait_ends_at    INTEGER,
    outcome         TEXT,
    lease_run       TEXT,
    lease_ends_at   INTEGER,
    files_end_at    INTEGER NOT NULL,
    files_deleted   INTEGER NOT NULL,
    -- 1 until an announcement at or after files_end_at sets it to 0.
    counts          INTEGER NOT NULL DEFAULT 1,
    uploaded        TEXT NOT NULL,
    results         TEXT,
    -- Proven time until which the package holds room for its missing bytes, or 0.
    room_held_until INTEGER NOT NULL DEFAULT 0,
    -- JSON: the address whose share it is, then the networks around it. Empty without room.
    room_tiers      TEXT NOT NULL DEFAULT '[]',
    version         INTEGER NOT NULL,
    counted_waiting INTEGER
      AS (counts * (committed_at IS NOT NULL AND outcome IS NULL)) VIRTUAL,
    room_address    TEXT AS (room_tiers ->> 0) VIRTUAL,
    reserved_bytes  INTEGER
      AS ((room_held_until > 0) * missing_bytes) VIRTUAL,
    stored_bytes    INTEGER
      AS (counts * (announced_bytes - missing_bytes)) VIRTUAL,
    unheld_partial_bytes INTEGER
      AS ((room_held_until = 0) * partial_bytes) VIRTUAL
  ) STRICT;
  CREATE INDEX packages_of_device ON packages (device_id, files_end_at);
  CREATE INDEX packages_of_app ON packages (device_id, app_id, created_at);
  CREATE INDEX packages_with_files ON packages (files_end_at) WHERE files_deleted = 0;
  CREATE INDEX packages_by_window ON packages (coalesce(wait_ends_at, upload_ends_at));
  CREATE INDEX packages_counted ON packages (counts, files_end_at);
  CREATE INDEX packages_holding_room ON packages (room_held_until) WHERE room_held_until > 0;
  CREATE INDEX packages_holding_room_of_device ON packages (device_id, room_held_until)
    WHERE room_held_until > 0;
  CREATE INDEX packages_holding_room_of_address ON packages (room_address, room_held_until)
    WHERE room_held_until > 0;
  CREATE INDEX packages_waiting ON packages (device_id, committed_at)
    WHERE outcome IS NULL AND committed_at IS NOT NULL AND files_deleted = 0;
  CREATE INDEX packages_reported ON packages (device_id, committed_at)
    WHERE outcome IS NOT NULL AND committed_at IS NOT NULL AND files_deleted = 0;

  -- Separate from the columns that change, so that a change does not rewrite it.
  CREATE TABLE manifests (
    package_id TEXT PRIMARY KEY REFERENCES packages ON DELETE CASCADE,
    manifest   TEXT NOT NULL
  ) STRICT;

  -- The order in which packages were first reported (rule I5).
  CREATE TABLE first_reports (
    -- Never used again, so that a list that has begun knows what was reported since.
    seq        INTEGER PRIMARY KEY AUTOINCREMENT,
    package_id TEXT NOT NULL UNIQUE REFERENCES packages ON DELETE CASCADE,
    device_id  TEXT NOT NULL
  ) STRICT;
  CREATE INDEX first_reports_of_device ON first_reports (device_id, seq);
  CREATE TRIGGER note_first_report AFTER UPDATE OF outcome ON packages
    WHEN OLD.outcome IS NULL AND NEW.outcome IS NOT NULL
  BEGIN
    INSERT INTO first_reports (package_id, device_id) VALUES (NEW.package_id, NEW.device_id)
      ON CONFLICT DO NOTHING;
  END;

  CREATE TABLE announcements (
    device_id TEXT NOT NULL,
    app_id    TEXT NOT NULL,
    at        INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX announcements_of_app ON announcements (device_id, app_id, at);
  CREATE INDEX announcements_by_time ON announcements (at);

  -- Bytes that an address sent. total: of all its rows up to and with this one, in the order of (at, seq). A window's
  -- sum is the difference of two rows.
  CREATE TABLE received (
    seq     INTEGER PRIMARY KEY,
    address TEXT NOT NULL,
    bytes   INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    total   INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX received_of_address ON received (address, at);
  CREATE INDEX received_by_total ON received (address, total);
  CREATE INDEX received_by_time ON received (at);

  CREATE TABLE idempotency_keys (
    device_id  TEXT NOT NULL,
    app_id     TEXT NOT NULL,
    key        TEXT NOT NULL,
    body_hash  TEXT NOT NULL,
    answer     TEXT NOT NULL,
    ends_at    INTEGER NOT NULL,
    package_id TEXT NOT NULL REFERENCES packages ON DELETE CASCADE,
    PRIMARY KEY (device_id, app_id, key)
  ) STRICT;
  CREATE INDEX idempotency_keys_of_package ON idempotency_keys (package_id);
`;

/**
 * The tables of the database's own state (rules Z1, Z6), holds of backups (rule Z10), removals that a restored backup
 * must not undo (rule Z11), and an operator's decisions and operations (rules AD1, AD2).
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
