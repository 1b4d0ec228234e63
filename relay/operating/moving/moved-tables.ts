/** A table whose rows move from SQLite to PostgreSQL as they are. */
export interface MovedTable {
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns that name a row; none if nothing does. */
  readonly key: readonly string[];
  /** Source in SQLite: each column that has another name or value there, and the rows that move. */
  readonly source?: {
    readonly columns?: Readonly<Record<string, string>>;
    readonly where?: string;
    /** Column by which batches are ordered and cut; `rowid` if it is missing. */
    readonly order?: string;
  };
  /** Columns that are left out of the comparison: they are counted again at the end. */
  readonly recounted?: readonly string[];
}

const PAIRINGS: readonly MovedTable[] = [
  {
    table: "devices",
    columns: [
      "device_id",
      "device_name",
      "token_hash",
      "registered_at",
      "last_seen_at",
      "import_days",
      "first_import_day",
      "last_import_day",
      "has_paired",
    ],
    key: ["device_id"],
  },
  {
    table: "pairing_codes",
    columns: ["device_id", "code_hash", "expires_at"],
    key: ["device_id"],
  },
  {
    table: "pairing_requests",
    columns: [
      "device_id",
      "request_id",
      "app_id",
      "app_name",
      "address",
      "network",
      "expires_at",
      "state",
      "allowed_at",
    ],
    key: ["device_id"],
  },
  {
    table: "pairings",
    columns: ["pairing_id", "device_id", "app_id", "app_name", "paired_at", "last_seen_at"],
    key: ["pairing_id"],
  },
  { table: "app_tokens", columns: ["token_hash", "pairing_id", "made"], key: ["token_hash"] },
  {
    table: "repeatable_claims",
    columns: ["repeat_hash", "token_hash", "arrived_at", "ends_at"],
    key: ["repeat_hash"],
    source: { order: "repeat_hash" },
  },
];

const PACKAGES: readonly MovedTable[] = [
  {
    table: "packages",
    columns: [
      "package_id",
      "place",
      "device_id",
      "app_id",
      "app_name",
      "created_at",
      "announced_bytes",
      "missing_bytes",
      "partial_bytes",
      "upload_ends_at",
      "committed_at",
      "wait_ends_at",
      "outcome",
      "lease_run",
      "lease_ends_at",
      "files_end_at",
      "files_deleted",
      "counts",
      "uploaded",
      "results",
      "room_held_until",
      "room_tiers",
      "room_address",
      "version",
    ],
    key: ["package_id"],
    source: { columns: { place: "rowid" } },
    recounted: ["partial_bytes"],
  },
  { table: "manifests", columns: ["package_id", "manifest"], key: ["package_id"] },
  { table: "first_reports", columns: ["seq", "package_id", "device_id"], key: ["seq"] },
  {
    table: "idempotency_keys",
    columns: ["device_id", "app_id", "key", "body_hash", "answer", "ends_at", "package_id"],
    key: ["device_id", "app_id", "key"],
  },
  {
    table: "announcements",
    columns: ["device_id", "app_id", "at"],
    key: [],
  },
  {
    table: "received",
    columns: ["seq", "address", "bytes", "at", "total"],
    key: ["seq"],
  },
];

/** The tables of keys. Leftovers of uploads that nobody can continue don't move, and neither do their bytes. */
const KEYS: readonly MovedTable[] = [
  {
    table: "sound_keys",
    columns: ["key", "state", "ends_at"],
    key: ["key"],
    source: { where: "state = 'pending' AND key IN (SELECT key FROM partials)", order: "key" },
  },
  {
    table: "partials",
    columns: ["key", "package_id", "file", "stored_bytes"],
    key: ["key"],
    source: { order: "key" },
  },
];

const DECISIONS: readonly MovedTable[] = [
  {
    table: "blocks",
    columns: ["subject", "kind", "blocked_at"],
    key: ["subject"],
    source: { order: "subject" },
  },
  {
    table: "denied_sounds",
    columns: ["sha256", "denied_at"],
    key: ["sha256"],
    source: { order: "sha256" },
  },
  {
    table: "switches",
    columns: ["name", "sentence", "switched_at"],
    key: ["name"],
    source: { order: "name" },
  },
  {
    table: "operator_log",
    columns: ["seq", "at", "who", "action", "subject", "detail"],
    key: ["seq"],
  },
];

/** The tables that move, in an order in which every row finds the rows that it refers to. */
export const MOVED_TABLES: readonly MovedTable[] = [
  ...PAIRINGS,
  ...PACKAGES,
  ...KEYS,
  ...DECISIONS,
];

/** Tables of SQLite that don't move as rows, with the reason. A test compares this with the schema. */
export const NOT_MOVED: Readonly<Record<string, string>> = {
  upkeep: "what a relay keeps there moves one by one",
  totals: "counted again",
  reservations: "counted again",
  deletion_holds: "of a backup of the folder",
  removals: "on their way to removals.log, which stays with the folder and its backups",
};
