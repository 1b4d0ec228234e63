/**
 * The second migration: the keys of sounds that no package has (rule J2), and what quotas compare as counters
 * (rule J4). Triggers keep the counters right whatever changes a package, and doom the keys of a removed one.
 * An update moves its keys itself: see `keyMover`.
 */
export const ADD_KEYS_AND_COUNTERS = `
  CREATE TABLE sound_keys (
    key     TEXT PRIMARY KEY,
    state   TEXT NOT NULL CHECK (state IN ('pending', 'doomed')),
    -- After this nobody writes a pending key.
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sound_keys_pending ON sound_keys (ends_at) WHERE state = 'pending';
  CREATE INDEX sound_keys_doomed ON sound_keys (key) WHERE state = 'doomed';

  -- The relay that had no list recorded a deletion before it deleted the files; a crash may have left some.
  INSERT OR IGNORE INTO sound_keys (key, state, ends_at)
    SELECT value ->> 1, 'doomed', 0 FROM packages, json_each(uploaded) WHERE files_deleted = 1;

  CREATE TRIGGER doom_keys_of_removed_package AFTER DELETE ON packages WHEN OLD.files_deleted = 0
  BEGIN
    INSERT INTO sound_keys (key, state, ends_at)
      SELECT value ->> 1, 'doomed', 0 FROM json_each(OLD.uploaded) WHERE true
      ON CONFLICT (key) DO UPDATE SET state = 'doomed';
  END;

  -- 1 until an announcement at or after files_end_at sets it to 0.
  ALTER TABLE packages ADD COLUMN counts INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE packages ADD COLUMN counted_waiting INTEGER
    AS (counts * (committed_at IS NOT NULL AND outcome IS NULL)) VIRTUAL;
  ALTER TABLE packages ADD COLUMN counted_bytes INTEGER AS (counts * announced_bytes) VIRTUAL;
  ALTER TABLE packages ADD COLUMN counted_missing INTEGER
    AS (counts * (committed_at IS NULL) * missing_bytes) VIRTUAL;
  CREATE INDEX packages_counted ON packages (counts, files_end_at);
  DROP INDEX packages_uploading;

  ALTER TABLE devices ADD COLUMN waiting_packages INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE devices ADD COLUMN announced_bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE devices SET (waiting_packages, announced_bytes) = (
    SELECT coalesce(sum(counted_waiting), 0), coalesce(sum(counted_bytes), 0)
    FROM packages WHERE packages.device_id = devices.device_id);

  -- One row, for all devices.
  CREATE TABLE totals (
    id            INTEGER PRIMARY KEY CHECK (id = 1),
    missing_bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO totals (id, missing_bytes)
    SELECT 1, coalesce(sum(counted_missing), 0) FROM packages;

  CREATE TRIGGER count_new_package AFTER INSERT ON packages
  BEGIN
    UPDATE devices SET waiting_packages = waiting_packages + NEW.counted_waiting,
        announced_bytes = announced_bytes + NEW.counted_bytes
      WHERE device_id = NEW.device_id;
    UPDATE totals SET missing_bytes = missing_bytes + NEW.counted_missing WHERE id = 1;
  END;
  CREATE TRIGGER count_removed_package AFTER DELETE ON packages
  BEGIN
    UPDATE devices SET waiting_packages = waiting_packages - OLD.counted_waiting,
        announced_bytes = announced_bytes - OLD.counted_bytes
      WHERE device_id = OLD.device_id;
    UPDATE totals SET missing_bytes = missing_bytes - OLD.counted_missing WHERE id = 1;
  END;
  CREATE TRIGGER count_package_of_device AFTER UPDATE ON packages
    WHEN NEW.counted_waiting <> OLD.counted_waiting OR NEW.counted_bytes <> OLD.counted_bytes
  BEGIN
    UPDATE devices SET
        waiting_packages = waiting_packages + NEW.counted_waiting - OLD.counted_waiting,
        announced_bytes = announced_bytes + NEW.counted_bytes - OLD.counted_bytes
      WHERE device_id = NEW.device_id;
  END;
  CREATE TRIGGER count_missing_bytes AFTER UPDATE ON packages
    WHEN NEW.counted_missing <> OLD.counted_missing
  BEGIN
    UPDATE totals SET missing_bytes = missing_bytes + NEW.counted_missing - OLD.counted_missing
      WHERE id = 1;
  END;

  -- The bytes of the address's announcements up to and with this one, in the order of (at, rowid). A window's
  -- sum is the difference of two rows.
  ALTER TABLE announcements ADD COLUMN total INTEGER NOT NULL DEFAULT 0;
  UPDATE announcements SET total = sums.total FROM (
      SELECT rowid AS id, sum(bytes) OVER (PARTITION BY address ORDER BY at, rowid) AS total
      FROM announcements
    ) AS sums WHERE announcements.rowid = sums.id;
  CREATE INDEX announcements_by_total ON announcements (address, total);
`;
