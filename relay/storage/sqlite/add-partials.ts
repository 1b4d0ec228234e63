/**
 * The tenth migration: files that are sent in several calls (rule U10). Triggers doom a partial with its package, and
 * once its package has the file. They keep the bytes of partials counted whatever changes: a package that holds room
 * holds it for them, too, and without room they count as stored.
 */
export const ADD_PARTIALS = `
  -- Beside the pending keys, so that the relay before this one dooms them like any other.
  CREATE TABLE partials (
    key          TEXT PRIMARY KEY,
    package_id   TEXT NOT NULL,
    file         TEXT NOT NULL,
    stored_bytes INTEGER NOT NULL DEFAULT 0,
    UNIQUE (package_id, file)
  ) STRICT, WITHOUT ROWID;

  ALTER TABLE packages ADD COLUMN partial_bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE packages ADD COLUMN unheld_partial_bytes INTEGER
    AS ((room_held_until = 0) * partial_bytes) VIRTUAL;

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
