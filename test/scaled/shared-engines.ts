import { type Postgres, startPostgres } from "../../scaled/engines/postgres.ts";
import { type Swift, startSwift } from "../../scaled/engines/swift.ts";

const started = new Map<string, Promise<unknown>>();

/** PostgreSQL for all tests of this worker: give each test a database of its own, and never stop it. */
export function sharedPostgres(): Promise<Postgres> {
  return once("postgres", startPostgres);
}

/** S3 for all tests of this worker: give each test a bucket of its own, and never stop it. */
export function sharedSwift(): Promise<Swift> {
  return once("swift", startSwift);
}

/** Starts an engine with its first test. It ends with the worker. */
function once<Engine>(name: string, start: () => Promise<Engine>): Promise<Engine> {
  const running = started.get(name);
  // Each name has one type, as the functions above show.
  if (running !== undefined) return running as Promise<Engine>;
  const starting = start();
  started.set(name, starting);
  return starting;
}
