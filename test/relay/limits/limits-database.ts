import { Client } from "pg";
import { LIMITS_SCHEMA } from "../../../relay/storage/postgres/limits-schema.ts";
import { sharedPostgres } from "../../engines/shared-engines.ts";

/** The URL of a database of its own with the counters of limits. */
export async function limitsDatabase(server?: {
  createDatabase(): Promise<string>;
}): Promise<string> {
  const url = await (server ?? sharedPostgres()).createDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(LIMITS_SCHEMA);
  await client.end();
  return url;
}
