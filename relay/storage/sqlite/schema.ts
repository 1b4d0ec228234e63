import { ADD_IMPORTS } from "./add-imports.ts";
import { ADD_COMPATIBILITY } from "./add-compatibility.ts";
import { ADD_OWN_LISTS } from "./add-own-lists.ts";
import { ADD_UPKEEP } from "./add-upkeep.ts";
import { ADD_FIRST_REPORTS } from "./add-first-reports.ts";
import { ADD_KEYS_AND_COUNTERS } from "./add-keys-and-counters.ts";
import { ADD_RESERVATIONS } from "./add-reservations.ts";
import { ADD_OPERATOR } from "./add-operator.ts";
import { ADD_PAIRING_REQUESTS } from "./add-pairing-requests.ts";
import { ADD_PARTIALS } from "./add-partials.ts";

/**
 * The database's migrations, oldest first. A published one never changes; `user_version` counts those
 * applied. Times are milliseconds since 1970, UTC.
 *
 * A migration only adds: tables, indexes, columns with a default. What it makes unnecessary is taken away one release
 * later, by a migration that ends with `raiseNeededSchema`, so that the version before can use the database
 * (rule K13).
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE devices (
    device_id     TEXT PRIMARY KEY,
    device_name   TEXT NOT NULL,
    token_hash    TEXT NOT NULL UNIQUE,
    registered_at INTEGER NOT NULL,
    last_seen_at  INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE pairing_codes (
    device_id  TEXT PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
    code_hash  TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
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

  CREATE TABLE app_tokens (
    token_hash TEXT PRIMARY KEY,
    pairing_id TEXT NOT NULL REFERENCES pairings ON DELETE CASCADE,
    made       INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX app_tokens_of_pairing ON app_tokens (pairing_id, made);

  CREATE TABLE packages (
    package_id      TEXT PRIMARY KEY,
    device_id       TEXT NOT NULL REFERENCES devices ON DELETE CASCADE,
    app_id          TEXT NOT NULL,
    app_name        TEXT NOT NULL,
    created_at      INTEGER NOT NULL,
    announced_bytes INTEGER NOT NULL,
    missing_bytes   INTEGER NOT NULL,
    upload_ends_at  INTEGER NOT NULL,
    committed_at    INTEGER,
    wait_ends_at    INTEGER,
    outcome         TEXT,
    lease_run       TEXT,
    lease_ends_at   INTEGER,
    files_end_at    INTEGER NOT NULL,
    files_deleted   INTEGER NOT NULL,
    uploaded        TEXT NOT NULL,
    results         TEXT,
    version         INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX packages_of_device ON packages (device_id, files_end_at);
  CREATE INDEX packages_with_files ON packages (files_end_at) WHERE files_deleted = 0;
  CREATE INDEX packages_by_window ON packages (coalesce(wait_ends_at, upload_ends_at));
  CREATE INDEX packages_uploading ON packages (files_end_at, missing_bytes)
    WHERE committed_at IS NULL;

  -- Separate from the columns that change, so that a change does not rewrite it.
  CREATE TABLE manifests (
    package_id TEXT PRIMARY KEY REFERENCES packages ON DELETE CASCADE,
    manifest   TEXT NOT NULL
  ) STRICT;

  CREATE TABLE announcements (
    device_id TEXT NOT NULL,
    app_id    TEXT NOT NULL,
    address   TEXT NOT NULL,
    bytes     INTEGER NOT NULL,
    at        INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX announcements_of_app ON announcements (device_id, app_id, at);
  CREATE INDEX announcements_of_address ON announcements (address, at);
  CREATE INDEX announcements_by_time ON announcements (at);

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
  `,
  ADD_KEYS_AND_COUNTERS,
  ADD_UPKEEP,
  ADD_RESERVATIONS,
  ADD_OPERATOR,
  ADD_PAIRING_REQUESTS,
  ADD_IMPORTS,
  ADD_FIRST_REPORTS,
  ADD_COMPATIBILITY,
  ADD_OWN_LISTS,
  ADD_PARTIALS,
];
