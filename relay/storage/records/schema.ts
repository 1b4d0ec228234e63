import type { Dialect, DialectName } from "./dialect.ts";
import type { Table } from "./table.ts";
import { allTables, columnNames, type TableName, TABLES } from "./tables.ts";

/** Lists the columns that name a row of a table; none if nothing does. */
export function keyOf(table: TableName): readonly string[] {
  const { key, columns }: Table = TABLES[table];
  return (
    key ?? Object.keys(columns).filter((name) => /^numbered|PRIMARY KEY/.test(columns[name] ?? ""))
  );
}

/**
 * SQL that inserts a row.
 * @param parameterOf names the value of a column: `:deviceId` for `device_id`, unless it is a row's
 */
export function insertInto(
  table: TableName,
  columns = columnNames(table),
  parameterOf: (column: string) => string = camelCased,
): string {
  const values = columns.map((column) => `:${parameterOf(column)}`);
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${values.join(", ")})`;
}

/** SQL that inserts a whole row, or replaces the one with its key. */
export function putInto(table: TableName): string {
  const key = keyOf(table);
  const others = columnNames(table).filter((column) => !key.includes(column));
  return `${insertInto(table)} ON CONFLICT (${key.join(", ")})
    DO UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(", ")}`;
}

/** SQL columns that are read as members of a record: `device_id AS "deviceId"`. */
export function membersOf(table: TableName, columns = columnNames(table)): string {
  return columns.map((column) => `${table}.${column} AS "${camelCased(column)}"`).join(", ");
}

const MEMBERS = new Map<string, string>();

/** Converts the name of a column to that of a member: `device_id` to `deviceId`. */
export function camelCased(column: string): string {
  const known = MEMBERS.get(column);
  if (known !== undefined) return known;
  const member = column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  MEMBERS.set(column, member);
  return member;
}

/** Makes the statements that create all tables in a database. */
export function schemaFor(sql: Dialect): string {
  return allTables()
    .map(([name, table]) => createTable(name, table, sql))
    .join("\n");
}

function createTable(name: TableName, table: Table, sql: Dialect): string {
  const columns = Object.entries(table.columns).map(
    ([column, type]) => `${column} ${typeFor(type, sql)}`,
  );
  const parts = [...columns, ...(table.constraints ?? [])].map((part) => `  ${part}`);
  const indexes = Object.entries(table.indexes ?? {}).map(
    ([index, of]) => `CREATE INDEX ${index} ON ${name} ${of};`,
  );
  return [
    `CREATE TABLE ${name} (\n${parts.join(",\n")}\n)${endOf(table, sql.name)};`,
    ...indexes,
  ].join("\n");
}

function typeFor(type: string, sql: Dialect): string {
  return type.replace(/^(numbered once|numbered|number|flag|text)/, (word) => {
    if (word === "numbered once") return sql.numbered("once");
    if (word === "numbered") return sql.numbered("again");
    if (word === "number") return sql.number;
    return word === "flag" ? sql.flag : sql.text;
  });
}

function endOf({ inKey, fillfactor }: Table, dialect: DialectName): string {
  if (dialect === "sqlite") return inKey ? " STRICT, WITHOUT ROWID" : " STRICT";
  return fillfactor === undefined ? "" : ` WITH (fillfactor = ${fillfactor})`;
}
