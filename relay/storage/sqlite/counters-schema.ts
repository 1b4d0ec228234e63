/**
 * The counters that quotas compare (rule J4), and the room that is held for missing bytes (rule U6), by device,
 * address, network and in all. Triggers keep the counters right whenever a package changes. Partials stay counted,
 * too: a package that holds room holds it for them, and without room they count as stored.
 */
export const COUNTERS_SCHEMA = `
  -- One row, for all devices.
  CREATE TABLE totals (
    id             INTEGER PRIMARY KEY CHECK (id = 1),
    reserved_bytes INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  INSERT INTO totals (id) VALUES (1);

  -- Addresses and networks that have reserved something.
  CREATE TABLE reservations (
    tier  TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER count_new_package AFTER INSERT ON packages
  BEGIN
    UPDATE devices SET waiting_packages = waiting_packages + NEW.counted_waiting
      WHERE device_id = NEW.device_id;
  END;
  CREATE TRIGGER count_removed_package AFTER DELETE ON packages
  BEGIN
    UPDATE devices SET waiting_packages = waiting_packages - OLD.counted_waiting
      WHERE device_id = OLD.device_id;
  END;
  CREATE TRIGGER count_changed_package AFTER UPDATE ON packages
    WHEN NEW.counted_waiting <> OLD.counted_waiting
  BEGIN
    UPDATE devices
      SET waiting_packages = waiting_packages + NEW.counted_waiting - OLD.counted_waiting
      WHERE device_id = NEW.device_id;
  END;

  CREATE TRIGGER count_stored_bytes AFTER UPDATE ON packages
    WHEN NEW.stored_bytes <> OLD.stored_bytes
  BEGIN
    UPDATE devices SET stored_bytes = stored_bytes + NEW.stored_bytes - OLD.stored_bytes
      WHERE device_id = NEW.device_id;
  END;
  CREATE TRIGGER unreserve_changed_package AFTER UPDATE ON packages
    WHEN OLD.reserved_bytes > 0
      AND (NEW.reserved_bytes <> OLD.reserved_bytes OR NEW.room_tiers <> OLD.room_tiers)
  BEGIN
    UPDATE devices SET reserved_bytes = reserved_bytes - OLD.reserved_bytes
      WHERE device_id = OLD.device_id;
    UPDATE totals SET reserved_bytes = reserved_bytes - OLD.reserved_bytes WHERE id = 1;
    UPDATE reservations SET bytes = bytes - OLD.reserved_bytes
      WHERE tier IN (SELECT value FROM json_each(OLD.room_tiers));
    DELETE FROM reservations
      WHERE bytes <= 0 AND tier IN (SELECT value FROM json_each(OLD.room_tiers));
  END;
  CREATE TRIGGER reserve_changed_package AFTER UPDATE ON packages
    WHEN NEW.reserved_bytes > 0
      AND (NEW.reserved_bytes <> OLD.reserved_bytes OR NEW.room_tiers <> OLD.room_tiers)
  BEGIN
    UPDATE devices SET reserved_bytes = reserved_bytes + NEW.reserved_bytes
      WHERE device_id = NEW.device_id;
    UPDATE totals SET reserved_bytes = reserved_bytes + NEW.reserved_bytes WHERE id = 1;
    INSERT INTO reservations (tier, bytes)
      SELECT value, NEW.reserved_bytes FROM json_each(NEW.room_tiers) WHERE true
      ON CONFLICT (tier) DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER reserve_new_package AFTER INSERT ON packages WHEN NEW.reserved_bytes > 0
  BEGIN
    UPDATE devices SET reserved_bytes = reserved_bytes + NEW.reserved_bytes
      WHERE device_id = NEW.device_id;
    UPDATE totals SET reserved_bytes = reserved_bytes + NEW.reserved_bytes WHERE id = 1;
    INSERT INTO reservations (tier, bytes)
      SELECT value, NEW.reserved_bytes FROM json_each(NEW.room_tiers) WHERE true
      ON CONFLICT (tier) DO UPDATE SET bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER unreserve_removed_package AFTER DELETE ON packages
    WHEN OLD.reserved_bytes > 0 OR OLD.stored_bytes > 0
  BEGIN
    UPDATE devices SET reserved_bytes = reserved_bytes - OLD.reserved_bytes,
        stored_bytes = stored_bytes - OLD.stored_bytes
      WHERE device_id = OLD.device_id;
    UPDATE totals SET reserved_bytes = reserved_bytes - OLD.reserved_bytes WHERE id = 1;
    UPDATE reservations SET bytes = bytes - OLD.reserved_bytes
      WHERE tier IN (SELECT value FROM json_each(OLD.room_tiers));
    DELETE FROM reservations
      WHERE bytes <= 0 AND tier IN (SELECT value FROM json_each(OLD.room_tiers));
  END;

  CREATE TRIGGER count_grown_partial AFTER UPDATE OF stored_bytes ON partials
  BEGIN
    UPDATE packages SET partial_bytes = partial_bytes + NEW.stored_bytes - OLD.stored_bytes
      WHERE package_id = NEW.package_id;
  END;
  CREATE TRIGGER count_gone_partial AFTER DELETE ON partials WHEN OLD.stored_bytes > 0
  BEGIN
    UPDATE packages SET partial_bytes = partial_bytes - OLD.stored_bytes
      WHERE package_id = OLD.package_id;
  END;
  CREATE TRIGGER count_partials_of_package AFTER UPDATE ON packages
    WHEN NEW.unheld_partial_bytes <> OLD.unheld_partial_bytes
  BEGIN
    UPDATE devices
      SET stored_bytes = stored_bytes + NEW.unheld_partial_bytes - OLD.unheld_partial_bytes
      WHERE device_id = NEW.device_id;
  END;
  CREATE TRIGGER count_partials_of_removed_package AFTER DELETE ON packages
    WHEN OLD.unheld_partial_bytes > 0
  BEGIN
    UPDATE devices SET stored_bytes = stored_bytes - OLD.unheld_partial_bytes
      WHERE device_id = OLD.device_id;
  END;
`;

/**
 * The keys of sounds that no package has (rule J2), among them those of files that are sent in several calls
 * (rule U10). Triggers doom the keys of a removed package, and a partial with its package or once its package has the
 * file. An update moves its keys itself: see `keyMover`.
 */
export const KEYS_SCHEMA = `
  CREATE TABLE sound_keys (
    key     TEXT PRIMARY KEY,
    state   TEXT NOT NULL CHECK (state IN ('pending', 'doomed')),
    -- After this nobody writes a pending key.
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sound_keys_pending ON sound_keys (ends_at) WHERE state = 'pending';
  CREATE INDEX sound_keys_doomed ON sound_keys (key) WHERE state = 'doomed';

  -- Pending keys of files that are sent in several calls.
  CREATE TABLE partials (
    key          TEXT PRIMARY KEY,
    package_id   TEXT NOT NULL,
    file         TEXT NOT NULL,
    stored_bytes INTEGER NOT NULL DEFAULT 0,
    UNIQUE (package_id, file)
  ) STRICT, WITHOUT ROWID;

  CREATE TRIGGER doom_keys_of_removed_package AFTER DELETE ON packages WHEN OLD.files_deleted = 0
  BEGIN
    INSERT INTO sound_keys (key, state, ends_at)
      SELECT value ->> 1, 'doomed', 0 FROM json_each(OLD.uploaded) WHERE true
      ON CONFLICT (key) DO UPDATE SET state = 'doomed';
  END;

  CREATE TRIGGER forget_doomed_partial AFTER UPDATE OF state ON sound_keys
    WHEN NEW.state <> 'pending'
  BEGIN
    DELETE FROM partials WHERE key = NEW.key;
  END;
  CREATE TRIGGER forget_struck_partial AFTER DELETE ON sound_keys
  BEGIN
    DELETE FROM partials WHERE key = OLD.key;
  END;

  CREATE TRIGGER doom_partials_of_removed_package AFTER DELETE ON packages
  BEGIN
    UPDATE sound_keys SET state = 'doomed'
      WHERE key IN (SELECT key FROM partials WHERE package_id = OLD.package_id);
  END;
  CREATE TRIGGER doom_partials_of_expired_package AFTER UPDATE OF files_deleted ON packages
    WHEN NEW.files_deleted > OLD.files_deleted
  BEGIN
    UPDATE sound_keys SET state = 'doomed'
      WHERE key IN (SELECT key FROM partials WHERE package_id = NEW.package_id);
  END;
  CREATE TRIGGER doom_partials_of_uploaded_files AFTER UPDATE OF uploaded ON packages
    WHEN NEW.uploaded <> OLD.uploaded
  BEGIN
    UPDATE sound_keys SET state = 'doomed'
      WHERE key IN (
        SELECT partials.key FROM partials, json_each(NEW.uploaded)
        WHERE package_id = NEW.package_id AND file = value ->> 0);
  END;
`;
