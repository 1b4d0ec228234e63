import { allTables, columnNames } from "../../../../relay/storage/records/tables.ts";

/** Table → its columns, in the order of their names. */
type TableColumns = Readonly<Record<string, readonly string[]>>;

/** The tables and columns that both databases have. */
export const DESCRIBED: TableColumns = Object.fromEntries(
  allTables().map(([table]) => [table, columnNames(table).toSorted()]),
);

/** Groups rows of a database's own description, each of one column in `of_table` and `name`. */
export function columnsIn(rows: readonly object[]): TableColumns {
  const pairs = rows.map((row) => Object.values(row).map(String));
  return Object.fromEntries(
    Object.entries(Object.groupBy(pairs, ([table = ""]) => table)).map(([table, columns = []]) => [
      table,
      columns.map(([, column = ""]) => column).toSorted(),
    ]),
  );
}
