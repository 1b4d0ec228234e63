import { OPERATOR_TABLES } from "./operator-tables.ts";
import type { Table } from "./table.ts";

const OF_DEVICE = "REFERENCES devices (device_id) ON DELETE CASCADE";
const OF_PACKAGE = "REFERENCES packages (package_id) ON DELETE CASCADE";

/** Every table of the records, in an order in which each row finds the rows that it refers to. */
export const TABLES = {
  devices: {
    columns: {
      device_id: "text PRIMARY KEY",
      device_name: "text NOT NULL",
      token_hash: "text NOT NULL UNIQUE",
      registered_at: "number NOT NULL",
      last_seen_at: "number NOT NULL",
      // Whether it was ever paired (rule AD9).
      has_paired: "flag NOT NULL DEFAULT 0",
      // On how many days it imported something, as far as rule L7 asks for it. Days are whole ones since 1970.
      import_days: "number NOT NULL DEFAULT 0",
      first_import_day: "number",
      last_import_day: "number",
      // Name of the registration key that it registered with (rule AD13).
      registration_key: "text",
      // An operator's own limits for it, in place of the relay's (rule AD14).
      bytes_quota: "number",
      waiting_quota: "number",
    },
    indexes: {
      devices_unseen: "(last_seen_at)",
      devices_never_paired: "(last_seen_at) WHERE has_paired = 0",
    },
    fillfactor: 80,
  },
  // Every change of a device, its apps and its packages locks its row first.
  device_locks: {
    columns: { device_id: `text PRIMARY KEY ${OF_DEVICE}` },
    inKey: true,
    notCopied: "made again",
  },
  // What quotas compare (rules J4, L11), of each app that holds something. The device's lock guards its rows.
  app_counts: {
    columns: {
      device_id: `text NOT NULL ${OF_DEVICE}`,
      app_id: "text NOT NULL",
      waiting_packages: "number NOT NULL DEFAULT 0",
      stored_bytes: "number NOT NULL DEFAULT 0",
      reserved_bytes: "number NOT NULL DEFAULT 0",
      // Of spare packages (rule L12), which the stored bytes leave out.
      spare_bytes: "number NOT NULL DEFAULT 0",
    },
    constraints: ["PRIMARY KEY (device_id, app_id)"],
    key: ["device_id", "app_id"],
    fillfactor: 50,
    inKey: true,
    notCopied: "counted again",
  },
  // Reserved bytes of addresses and networks. The rows that begin with `~` together are those of all.
  room_counts: {
    columns: { tier: "text PRIMARY KEY", bytes: "number NOT NULL" },
    fillfactor: 50,
    inKey: true,
    notCopied: "counted again",
  },
  pairing_codes: {
    columns: {
      device_id: `text PRIMARY KEY ${OF_DEVICE}`,
      code_hash: "text NOT NULL UNIQUE",
      expires_at: "number NOT NULL",
    },
  },
  // Claims of right codes that wait for a yes in the panel, one for each device at most (rule P12).
  pairing_requests: {
    columns: {
      device_id: `text PRIMARY KEY ${OF_DEVICE}`,
      request_id: "text NOT NULL",
      app_id: "text NOT NULL",
      app_name: "text NOT NULL",
      address: "text NOT NULL",
      network: "text NOT NULL",
      expires_at: "number NOT NULL",
      state: "text NOT NULL",
      allowed_at: "number",
    },
  },
  pairings: {
    columns: {
      pairing_id: "text PRIMARY KEY",
      device_id: `text NOT NULL ${OF_DEVICE}`,
      app_id: "text NOT NULL",
      app_name: "text NOT NULL",
      paired_at: "number NOT NULL",
      last_seen_at: "number NOT NULL",
    },
    constraints: ["UNIQUE (device_id, app_id)"],
    fillfactor: 80,
  },
  app_tokens: {
    columns: {
      token_hash: "text PRIMARY KEY",
      pairing_id: "text NOT NULL REFERENCES pairings (pairing_id) ON DELETE CASCADE",
      made: "number NOT NULL",
    },
    indexes: { app_tokens_of_pairing: "(pairing_id, made)" },
  },
  // Claims that can be repeated when their answer is lost, and their tokens (rule P13).
  repeatable_claims: {
    columns: {
      repeat_hash: "text PRIMARY KEY",
      token_hash:
        "text NOT NULL UNIQUE REFERENCES app_tokens (token_hash) ON DELETE CASCADE ON UPDATE CASCADE",
      arrived_at: "number NOT NULL",
      ends_at: "number NOT NULL",
    },
    inKey: true,
  },
  packages: {
    columns: {
      // Orders packages of the same time.
      place: "numbered",
      package_id: "text NOT NULL UNIQUE",
      device_id: "text NOT NULL",
      app_id: "text NOT NULL",
      app_name: "text NOT NULL",
      created_at: "number NOT NULL",
      announced_bytes: "number NOT NULL",
      missing_bytes: "number NOT NULL",
      // Of files that are sent in several calls.
      partial_bytes: "number NOT NULL DEFAULT 0",
      upload_ends_at: "number NOT NULL",
      committed_at: "number",
      wait_ends_at: "number",
      outcome: "text",
      lease_run: "text",
      lease_ends_at: "number",
      files_end_at: "number NOT NULL",
      files_deleted: "flag NOT NULL",
      // 0 once its files have ended, until they end later again.
      counts: "flag NOT NULL DEFAULT 1",
      // 1 for one that its importer dismissed or has copies of (rule L12).
      spare: "flag NOT NULL DEFAULT 0",
      // JSON: pairs of file name and key.
      uploaded: "text NOT NULL",
      // JSON: pairs of file name and the time at which the file last arrived, also of files that are gone (rule AD12).
      arrived: "text NOT NULL DEFAULT '[]'",
      // When its importer first listed it, the last run took it, and the last report came (rule AD12).
      seen_at: "number",
      taken_at: "number",
      reported_at: "number",
      results: "text",
      // Proven time until which it holds room for its missing bytes; 0 if it holds none.
      room_held_until: "number NOT NULL",
      // JSON: the address whose share it is, then the networks around it. Empty without room.
      room_tiers: "text NOT NULL",
      room_address: "text",
      version: "number NOT NULL",
      // The last change, so that one whose outcome is unknown can be found.
      changed_by: "text",
    },
    key: ["package_id"],
    indexes: {
      packages_counted: "(device_id, files_end_at) WHERE counts = 1",
      packages_uncounted: "(device_id, files_end_at) WHERE counts = 0 AND files_deleted = 0",
      packages_spare: "(committed_at, place) WHERE spare = 1 AND files_deleted = 0",
      packages_spare_of_device:
        "(device_id, committed_at, place) WHERE spare = 1 AND files_deleted = 0",
      packages_with_files: "(files_end_at) WHERE files_deleted = 0",
      packages_by_window: "(coalesce(wait_ends_at, upload_ends_at))",
      packages_of_app: "(device_id, app_id, created_at, place)",
      packages_waiting: `(device_id, committed_at, place)
        WHERE outcome IS NULL AND committed_at IS NOT NULL AND files_deleted = 0`,
      packages_reported: `(device_id, committed_at, place)
        WHERE outcome IS NOT NULL AND committed_at IS NOT NULL AND files_deleted = 0`,
      packages_holding_room: "(room_held_until) WHERE room_held_until > 0",
      packages_holding_room_of_device: "(device_id, room_held_until) WHERE room_held_until > 0",
      packages_holding_room_of_address: "(room_address, room_held_until) WHERE room_held_until > 0",
    },
    fillfactor: 80,
  },
  // Separate from the columns that change, so that a change does not rewrite it.
  manifests: {
    columns: {
      package_id: `text PRIMARY KEY ${OF_PACKAGE}`,
      // Before the manifest, so that a search reads no manifest (rule AD12).
      folded_title: "text NOT NULL",
      manifest: "text NOT NULL",
    },
  },
  // The order in which packages of a device were first reported (rule I5). A list that has begun knows what was reported since.
  first_reports: {
    columns: {
      seq: "numbered once",
      package_id: `text NOT NULL UNIQUE ${OF_PACKAGE}`,
      device_id: "text NOT NULL",
    },
    indexes: { first_reports_of_device: "(device_id, seq)" },
  },
  idempotency_keys: {
    columns: {
      device_id: "text NOT NULL",
      app_id: "text NOT NULL",
      key: "text NOT NULL",
      body_hash: "text NOT NULL",
      answer: "text NOT NULL",
      ends_at: "number NOT NULL",
      package_id: `text NOT NULL ${OF_PACKAGE}`,
    },
    constraints: ["PRIMARY KEY (device_id, app_id, key)"],
    key: ["device_id", "app_id", "key"],
    indexes: { idempotency_keys_of_package: "(package_id)", idempotency_keys_by_end: "(ends_at)" },
  },
  announcements: {
    columns: { device_id: "text NOT NULL", app_id: "text NOT NULL", at: "number NOT NULL" },
    key: [],
    indexes: { announcements_of_app: "(device_id, app_id, at)", announcements_by_time: "(at)" },
  },
  // Bytes that an address sent, one row for each time. total: of all its rows up to and with this one. A window's sum is
  // the difference of two rows.
  received: {
    columns: {
      address: "text NOT NULL",
      at: "number NOT NULL",
      bytes: "number NOT NULL",
      total: "number NOT NULL",
    },
    constraints: ["PRIMARY KEY (address, at)"],
    key: ["address", "at"],
    indexes: { received_by_total: "(address, total)", received_by_time: "(at)" },
    inKey: true,
  },
  // The keys of sounds that no package has (rule J2).
  sound_keys: {
    columns: {
      key: "text PRIMARY KEY",
      state: "text NOT NULL CHECK (state IN ('pending', 'doomed'))",
      // After this nobody writes a pending key.
      ends_at: "number NOT NULL",
      // The process that writes it, where several share the database (rule SC24). None for a file that is sent in several
      // calls: any process may continue it.
      writer: "text",
    },
    indexes: {
      sound_keys_pending: "(ends_at) WHERE state = 'pending'",
      sound_keys_doomed: "(key) WHERE state = 'doomed'",
      sound_keys_by_writer: "(writer) WHERE state = 'pending' AND writer IS NOT NULL",
    },
    inKey: true,
  },
  // Pending keys of files that are sent in several calls (rule U10).
  partials: {
    columns: {
      key: "text PRIMARY KEY",
      package_id: "text NOT NULL",
      file: "text NOT NULL",
      stored_bytes: "number NOT NULL DEFAULT 0",
    },
    constraints: ["UNIQUE (package_id, file)"],
    inKey: true,
  },
  // The database's own state (rules Z1, Z6), holds of backups (rule Z10).
  upkeep: {
    columns: { name: "text PRIMARY KEY", value: "text NOT NULL" },
    inKey: true,
    notCopied: "what a relay keeps there is copied one by one",
  },
  deletion_holds: {
    columns: { holder: "text PRIMARY KEY", ends_at: "number NOT NULL" },
    inKey: true,
    notCopied: "of a backup of this database",
  },
  ...OPERATOR_TABLES,
} as const satisfies Readonly<Record<string, Table>>;

export type TableName = keyof typeof TABLES;

/** Lists the tables with their names. */
export function allTables(): readonly (readonly [TableName, Table])[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- entries forgets the names; they are the tables' own
  return Object.entries(TABLES) as [TableName, Table][];
}

/** Lists the columns of a table. */
export function columnNames(table: TableName): readonly string[] {
  return Object.keys(TABLES[table].columns);
}
