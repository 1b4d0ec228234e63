import { type Bound, Statement, type Values } from "../../../../relay/storage/records/statement.ts";

/** A statement of a test alone. Unlike the relay's, it is in no list, so several may have its name. */
export function plainStatement<Row>(
  ...of: ConstructorParameters<typeof Statement>
): (values?: Values) => Bound<Row> {
  const made = new Statement(...of);
  return (values = {}) => ({ statement: made, values });
}
