/** The row of `upkeep` that says which version of the schema a relay must know to use the database (rule K13). */
export const NEEDED_SCHEMA = "needed_schema";

/** A migration that tells older relays whether they can still use the database. None before it knew. */
export const ADD_COMPATIBILITY = `
  INSERT INTO upkeep (name, value) VALUES ('${NEEDED_SCHEMA}', '4');
`;

/**
 * Ends a migration that takes away what older relays use.
 * @param version the first number of migrations whose relay doesn't need that any more
 */
export function raiseNeededSchema(version: number): string {
  return `UPDATE upkeep SET value = '${version}' WHERE name = '${NEEDED_SCHEMA}';`;
}
