/** One table of the records, for both databases. */
export interface Table {
  /**
   * Name → type and constraints. Types: `text`, `number`, `flag` (0 or 1), `numbered` (a primary key that the database
   * counts) and `numbered once` (its numbers are never used again). The rest is SQL that both databases understand.
   */
  readonly columns: Readonly<Record<string, string>>;
  /** Constraints of several columns. */
  readonly constraints?: readonly string[];
  /** Columns that name a row; its primary key if this is missing. */
  readonly key?: readonly string[];
  /** Name → columns and condition. */
  readonly indexes?: Readonly<Record<string, string>>;
  /** Set for short rows that their key finds: in SQLite they lie in the key's own index. */
  readonly inKey?: true;
  /** Room that PostgreSQL keeps free in each page for changed rows, so that these need no new index entries. */
  readonly fillfactor?: number;
  /** Reason why its rows aren't copied to another database. */
  readonly notCopied?: string;
}
