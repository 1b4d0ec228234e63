import { type Bound, Statement, type Values } from "../../../../relay/storage/records/statement.ts";

/** A statement of a test alone. Unlike the relay's, it is in no list, so several may have its name. */
export function plainStatement<Row>(
  name: string,
  source: Statement["source"],
): (values?: Values) => Bound<Row> {
  const made = new Statement(name, source);
  return (values = {}) => ({ statement: made, values });
}
