/**
 * The fourth migration: room that is held for what packages lack (rule U6), by device, address, network and in all.
 * What it counted before stays and is kept right, for the version before this one. Packages that it finds hold no
 * room: their uploads ask for it.
 */
export const ADD_RESERVATIONS = `
  -- Proven time until which the package holds room for its missing bytes; 0 if it holds none.
  ALTER TABLE packages ADD COLUMN room_held_until INTEGER NOT NULL DEFAULT 0;
  -- JSON: the address whose share it is, then the networks around it. Empty without room.
  ALTER TABLE packages ADD COLUMN room_tiers TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE packages ADD COLUMN room_address TEXT AS (room_tiers ->> 0) VIRTUAL;
  ALTER TABLE packages ADD COLUMN reserved_bytes INTEGER
    AS ((room_held_until > 0) * missing_bytes) VIRTUAL;
  ALTER TABLE packages ADD COLUMN stored_bytes INTEGER
    AS (counts * (announced_bytes - missing_bytes)) VIRTUAL;
  CREATE INDEX packages_holding_room ON packages (room_held_until) WHERE room_held_until > 0;
  CREATE INDEX packages_holding_room_of_device ON packages (device_id, room_held_until)
    WHERE room_held_until > 0;
  CREATE INDEX packages_holding_room_of_address ON packages (room_address, room_held_until)
    WHERE room_held_until > 0;

  ALTER TABLE devices ADD COLUMN stored_bytes INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE devices ADD COLUMN reserved_bytes INTEGER NOT NULL DEFAULT 0;
  UPDATE devices SET stored_bytes = (
    SELECT coalesce(sum(stored_bytes), 0) FROM packages
    WHERE packages.device_id = devices.device_id);
  ALTER TABLE totals ADD COLUMN reserved_bytes INTEGER NOT NULL DEFAULT 0;

  -- Addresses and networks that have reserved something.
  CREATE TABLE reservations (
    tier  TEXT PRIMARY KEY,
    bytes INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

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
`;
