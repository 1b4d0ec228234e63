type Keyed<Area extends string, Table> = {
  readonly [Code in keyof Table as `${Area}.${Code & string}`]: Table[Code];
};

/** Returns a table's texts by the keys of an area, such as `run.DISK_FULL`. */
export function keyed<Area extends string, Table extends Readonly<Record<string, string>>>(
  area: Area,
  table: Table,
): Keyed<Area, Table> {
  const entries = Object.entries(table).map(([code, text]) => [`${area}.${code}`, text]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the entries of the table that its type is made of
  return Object.fromEntries(entries) as Keyed<Area, Table>;
}
