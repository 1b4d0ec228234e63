/** The databases that statements are written for. */
export type DialectName = "sqlite" | "postgres";

/**
 * Everything in which the SQL of the two databases differs. Everything else is SQL that both understand. A statement that
 * needs one of these is a function of the dialect.
 */
export interface Dialect {
  readonly name: DialectName;
  /** Type of whole numbers: times in milliseconds, bytes, counts. */
  readonly number: string;
  /** Type of flags, 0 or 1. */
  readonly flag: string;
  /** Type of text, which sorts by its bytes. */
  readonly text: string;
  /** Type of a primary key that the database counts. `once`: a number is never used again. */
  readonly numbered: (use: "once" | "again") => string;
  /** Clause of an INSERT that gives `numbered` columns their numbers. */
  readonly givenNumbers: string;
  /** The last number that a `numbered` column got, even in a row that is gone. */
  readonly lastNumber: (table: string, column: string) => string;
  /** Statement that lets such a column continue after `:last`. */
  readonly continueAfter: (table: string, column: string) => string;
  /**
   * The lock that a SELECT ends with, until the transaction ends. Statements write it as PostgreSQL does: `FOR NO KEY UPDATE`
   * for rows that are changed, `FOR UPDATE` for rows that are deleted, `SKIP LOCKED` to pass those over that another
   * transaction has locked. SQLite has one writer at a time, so nothing else can change them.
   */
  readonly lock: (clause: string) => string;
  /** The end of a condition: a column has one of the values of a list parameter. Statements write `key IN (:...keys)`. */
  readonly among: (list: string) => string;
  /**
   * The rows of a parameter that holds a JSON array of objects, for FROM.
   * @param columns name → type
   */
  readonly rowsOf: (json: string, columns: Readonly<Record<string, "text" | "number">>) => string;
  /** The strings of a JSON array, for FROM, as `value`. */
  readonly textsOf: (json: string) => string;
  /** Condition: a text contains another one. */
  readonly contains: (text: string, part: string) => string;
  /** The greater of two numbers. */
  readonly greater: (one: string, other: string) => string;
  /**
   * Condition of a change: the row meets a condition. PostgreSQL first locks such rows in the order of their keys, so that
   * no two transactions wait for each other.
   */
  readonly inOrder: (table: string, key: string, condition: string) => string;
  /** Condition: the row is one of at most `most` rows of a table that meet a condition and that nobody has locked. SQLite takes all of them. */
  readonly someOf: (table: string, condition: string, most: number) => string;
  /** The part of a key before its `/`: the package's id. */
  readonly packageOfKey: (key: string) => string;
  /**
   * The row that counts the relay's whole room for this connection. PostgreSQL has one for each of 64 sessions, so that
   * nobody waits for another one's commit. With rows picked at random, two of eight sessions met in one every few changes.
   */
  readonly ownSlot: (tier: string) => string;
}

/** Number of rows in which PostgreSQL counts the relay's room. */
const SLOTS = 64;

export const SQLITE: Dialect = {
  name: "sqlite",
  number: "INTEGER",
  flag: "INTEGER",
  text: "TEXT",
  numbered: (use) => `INTEGER PRIMARY KEY${use === "once" ? " AUTOINCREMENT" : ""}`,
  givenNumbers: "",
  lastNumber: (table, column) =>
    `max(coalesce((SELECT max(${column}) FROM ${table}), 0),
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = '${table}'), 0))`,
  continueAfter: (table) =>
    `INSERT OR REPLACE INTO sqlite_sequence (rowid, name, seq)
     VALUES ((SELECT rowid FROM sqlite_sequence WHERE name = '${table}'), '${table}', :last)`,
  lock: () => "",
  among: (list) => `IN (SELECT value FROM json_each(${list}))`,
  rowsOf: (json, columns) =>
    `(SELECT ${Object.keys(columns)
      .map((name) => `value ->> '${name}' AS ${name}`)
      .join(", ")} FROM json_each(${json}))`,
  textsOf: (json) => `json_each(${json})`,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  greater: (one, other) => `max(${one}, ${other})`,
  inOrder: (_table, _key, condition) => condition,
  someOf: (_table, condition) => condition,
  packageOfKey: (key) => `substr(${key}, 1, instr(${key}, '/') - 1)`,
  ownSlot: (tier) => `${tier} || '0'`,
};

export const POSTGRES: Dialect = {
  name: "postgres",
  number: "bigint",
  flag: "smallint",
  text: 'text COLLATE "C"',
  numbered: () => "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  givenNumbers: "OVERRIDING SYSTEM VALUE",
  lastNumber: (table, column) =>
    `coalesce(pg_sequence_last_value(pg_get_serial_sequence('${table}', '${column}')::regclass), 0)`,
  continueAfter: (table, column) =>
    `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), greatest(1, CAST(:last AS bigint)))`,
  lock: (clause) => clause,
  among: (list) => `= ANY(${list}::text[])`,
  rowsOf: (json, columns) =>
    `(SELECT * FROM json_to_recordset(${json}::json) AS one (${Object.entries(columns)
      .map(([name, type]) => `${name} ${type === "number" ? "bigint" : 'text COLLATE "C"'}`)
      .join(", ")}))`,
  textsOf: (json) => `json_array_elements_text(${json}::json) AS one (value)`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  greater: (one, other) => `greatest(${one}, ${other})`,
  inOrder: (table, key, condition) =>
    `${key} IN (SELECT ${key} FROM ${table} WHERE ${condition} ORDER BY ${key} FOR UPDATE)`,
  someOf: (table, condition, most) =>
    `ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${most} FOR UPDATE SKIP LOCKED))`,
  packageOfKey: (key) => `split_part(${key}, '/', 1)`,
  ownSlot: (tier) => `${tier} || pg_backend_pid() % ${SLOTS}`,
};
