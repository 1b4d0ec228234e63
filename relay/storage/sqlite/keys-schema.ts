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
