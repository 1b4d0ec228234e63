/**
 * The tables of the records. Times are milliseconds since 1970, UTC; flags are 0 or 1; JSON is text, because `jsonb`
 * can't hold U+0000. `device_counts` and `room_counts` have the counters that quotas compare: see `counts.ts`.
 */
export const RECORDS_SCHEMA = `
CREATE TABLE upkeep (name text PRIMARY KEY, value text NOT NULL);
CREATE TABLE deletion_holds (holder text PRIMARY KEY, ends_at bigint NOT NULL);

CREATE TABLE devices (
  device_id text COLLATE "C" PRIMARY KEY,
  device_name text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  registered_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  import_days bigint NOT NULL DEFAULT 0,
  first_import_day bigint,
  last_import_day bigint,
  has_paired smallint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);
CREATE INDEX devices_unseen ON devices (last_seen_at);
CREATE INDEX devices_never_paired ON devices (last_seen_at) WHERE has_paired = 0;

-- The row that every change of a device, its apps and its packages locks first.
CREATE TABLE device_counts (
  device_id text COLLATE "C" PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  waiting_packages bigint NOT NULL DEFAULT 0,
  stored_bytes bigint NOT NULL DEFAULT 0,
  reserved_bytes bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

-- Reserved bytes of addresses and networks. The rows '~0' to '~63' together are those of all.
CREATE TABLE room_counts (tier text COLLATE "C" PRIMARY KEY, bytes bigint NOT NULL)
  WITH (fillfactor = 50);

CREATE TABLE pairing_codes (
  device_id text COLLATE "C" PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  code_hash text NOT NULL CONSTRAINT one_device_of_a_code UNIQUE,
  expires_at bigint NOT NULL
);
CREATE TABLE pairing_requests (
  device_id text COLLATE "C" PRIMARY KEY REFERENCES devices ON DELETE CASCADE,
  request_id text NOT NULL,
  app_id text NOT NULL,
  app_name text NOT NULL,
  address text NOT NULL,
  network text NOT NULL,
  expires_at bigint NOT NULL,
  state text NOT NULL,
  allowed_at bigint
);
CREATE TABLE pairings (
  pairing_id text COLLATE "C" PRIMARY KEY,
  device_id text COLLATE "C" NOT NULL REFERENCES devices ON DELETE CASCADE,
  app_id text NOT NULL,
  app_name text NOT NULL,
  paired_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  UNIQUE (device_id, app_id)
) WITH (fillfactor = 80);
CREATE TABLE app_tokens (
  token_hash text PRIMARY KEY,
  pairing_id text COLLATE "C" NOT NULL REFERENCES pairings ON DELETE CASCADE,
  made bigint NOT NULL
);
CREATE INDEX app_tokens_of_pairing ON app_tokens (pairing_id, made);

-- Claims that can be repeated when their answer is lost, and their tokens (rule P13).
CREATE TABLE repeatable_claims (
  repeat_hash text PRIMARY KEY,
  token_hash text NOT NULL UNIQUE REFERENCES app_tokens ON DELETE CASCADE ON UPDATE CASCADE,
  arrived_at bigint NOT NULL,
  ends_at bigint NOT NULL
);

CREATE TABLE packages (
  package_id text COLLATE "C" PRIMARY KEY,
  -- Orders packages of the same time.
  place bigint GENERATED ALWAYS AS IDENTITY,
  device_id text COLLATE "C" NOT NULL,
  app_id text NOT NULL,
  app_name text NOT NULL,
  created_at bigint NOT NULL,
  announced_bytes bigint NOT NULL,
  missing_bytes bigint NOT NULL,
  -- Of files that are sent in several calls.
  partial_bytes bigint NOT NULL DEFAULT 0,
  upload_ends_at bigint NOT NULL,
  committed_at bigint,
  wait_ends_at bigint,
  outcome text,
  lease_run text,
  lease_ends_at bigint,
  files_end_at bigint NOT NULL,
  files_deleted smallint NOT NULL,
  -- 0 once its files have ended, until they end later again.
  counts smallint NOT NULL DEFAULT 1,
  uploaded text NOT NULL,
  results text,
  -- Proven time until which it holds room for its missing bytes; 0 if it holds none.
  room_held_until bigint NOT NULL,
  -- JSON: the address whose share it is, then the networks around it. Empty without room.
  room_tiers text NOT NULL,
  room_address text COLLATE "C",
  version bigint NOT NULL,
  -- The last change, so that one whose COMMIT was cut off can be found.
  changed_by uuid
) WITH (fillfactor = 80);
CREATE INDEX packages_counted ON packages (device_id, files_end_at) WHERE counts = 1;
CREATE INDEX packages_uncounted ON packages (device_id, files_end_at)
  WHERE counts = 0 AND files_deleted = 0;
CREATE INDEX packages_with_files ON packages (files_end_at) WHERE files_deleted = 0;
CREATE INDEX packages_by_window ON packages (coalesce(wait_ends_at, upload_ends_at));
CREATE INDEX packages_of_app ON packages (device_id, app_id, created_at, place);
CREATE INDEX packages_waiting ON packages (device_id, committed_at, place)
  WHERE outcome IS NULL AND committed_at IS NOT NULL AND files_deleted = 0;
CREATE INDEX packages_reported ON packages (device_id, committed_at, place)
  WHERE outcome IS NOT NULL AND committed_at IS NOT NULL AND files_deleted = 0;
CREATE INDEX packages_holding_room ON packages (room_held_until) WHERE room_held_until > 0;
CREATE INDEX packages_holding_room_of_device ON packages (device_id, room_held_until)
  WHERE room_held_until > 0;
CREATE INDEX packages_holding_room_of_address ON packages (room_address, room_held_until)
  WHERE room_held_until > 0;

-- Separate from the columns that change, so that a change does not rewrite it.
CREATE TABLE manifests (
  package_id text COLLATE "C" PRIMARY KEY REFERENCES packages ON DELETE CASCADE,
  manifest text NOT NULL
);

-- The order in which packages of a device were first reported.
CREATE TABLE first_reports (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  package_id text COLLATE "C" NOT NULL UNIQUE REFERENCES packages ON DELETE CASCADE,
  device_id text COLLATE "C" NOT NULL
);
CREATE INDEX first_reports_of_device ON first_reports (device_id, seq);

CREATE TABLE announcements (
  device_id text COLLATE "C" NOT NULL,
  app_id text NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX announcements_of_app ON announcements (device_id, app_id, at);
CREATE INDEX announcements_by_time ON announcements (at);

-- Bytes that an address sent. total: of all its rows up to and with this one, in the order of (at, seq).
CREATE TABLE received (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  address text COLLATE "C" NOT NULL,
  bytes bigint NOT NULL,
  at bigint NOT NULL,
  total bigint NOT NULL
);
CREATE INDEX received_of_address ON received (address, at, seq);
CREATE INDEX received_by_total ON received (address, total, seq);
CREATE INDEX received_by_time ON received (at);

CREATE TABLE idempotency_keys (
  device_id text COLLATE "C" NOT NULL,
  app_id text NOT NULL,
  key text NOT NULL,
  body_hash text NOT NULL,
  answer text NOT NULL,
  ends_at bigint NOT NULL,
  package_id text COLLATE "C" NOT NULL REFERENCES packages ON DELETE CASCADE,
  PRIMARY KEY (device_id, app_id, key)
);
CREATE INDEX idempotency_keys_of_package ON idempotency_keys (package_id);
CREATE INDEX idempotency_keys_by_end ON idempotency_keys (ends_at);

CREATE TABLE sound_keys (
  key text COLLATE "C" PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('pending', 'doomed')),
  -- After this nobody writes a pending key.
  ends_at bigint NOT NULL,
  -- The process that writes it (rule SC24). None for a file that is sent in several calls: any process may continue it.
  writer uuid
);
CREATE INDEX sound_keys_pending ON sound_keys (ends_at) WHERE state = 'pending';
CREATE INDEX sound_keys_doomed ON sound_keys (key) WHERE state = 'doomed';
CREATE INDEX sound_keys_by_writer ON sound_keys (writer) WHERE state = 'pending' AND writer IS NOT NULL;

-- Pending keys of files that are sent in several calls.
CREATE TABLE partials (
  key text COLLATE "C" PRIMARY KEY,
  package_id text COLLATE "C" NOT NULL,
  file text NOT NULL,
  stored_bytes bigint NOT NULL DEFAULT 0,
  UNIQUE (package_id, file)
);

CREATE TABLE blocks (
  subject text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('address', 'device')),
  blocked_at bigint NOT NULL
);
CREATE TABLE denied_sounds (sha256 text PRIMARY KEY, denied_at bigint NOT NULL);
CREATE TABLE switches (name text PRIMARY KEY, sentence text, switched_at bigint NOT NULL);
CREATE TABLE operator_log (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  who text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  detail text
);
CREATE INDEX operator_log_by_time ON operator_log (at);
`;

/**
 * The tables of the running processes (rule SC24), of their notices to each other (rule SC7), and of the turns of
 * partials (rule SC10). An outbox row is written in the transaction of the change that it announces; `xid` tells when
 * a reader can see it.
 */
export const PROCESSES_SCHEMA = `
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  seen_at timestamptz NOT NULL,
  -- When another process found that it had not been seen for a while.
  missed_at timestamptz
) WITH (fillfactor = 70);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  writer uuid NOT NULL,
  topic text NOT NULL,
  notification jsonb
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
CREATE INDEX outbox_by_xid ON outbox (xid);

CREATE SEQUENCE partial_turn_numbers;
CREATE TABLE partial_turns (
  package_id text NOT NULL COLLATE "C",
  file text NOT NULL COLLATE "C",
  last_turn bigint NOT NULL,
  held_turn bigint,
  renewed_at timestamptz NOT NULL,
  PRIMARY KEY (package_id, file)
) WITH (fillfactor = 70);
`;
