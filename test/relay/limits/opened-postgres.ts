import {
  PostgresLimits,
  type PostgresLimitsOptions,
} from "../../../relay/limits/postgres-limits.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { LIMITS_SCHEMA } from "../../../relay/storage/postgres/limits-schema.ts";
import { runningTime } from "../../../relay/storage/system.ts";
import { runIn } from "../notify/notifying-postgres.ts";
import { sharedPostgres } from "../../engines/shared-engines.ts";

/** The URL of a database of its own with the counters of limits. */
export async function limitsDatabase(server?: {
  createDatabase(): Promise<string>;
}): Promise<string> {
  const url = await (server ?? sharedPostgres()).createDatabase();
  await runIn(url, LIMITS_SCHEMA);
  return url;
}

export function refuseTrouble(error: Error): never {
  throw error;
}

/** Limits of so many processes in one database. */
export async function openOnDatabase(
  url: string,
  count: number,
  options: Partial<PostgresLimitsOptions> = {},
): Promise<
  {
    readonly processes: readonly PostgresLimits[];
    readonly connections: readonly Connections[];
  } & AsyncDisposable
> {
  const opened = new AsyncDisposableStack();
  const processes: PostgresLimits[] = [];
  const connections: Connections[] = [];
  for (let index = 0; index < count; index += 1) {
    const own = opened.use(await Connections.open({ url, max: 6, onTrouble: refuseTrouble }));
    const limits = new PostgresLimits({ connections: own, clock: runningTime, ...options });
    processes.push(opened.use(limits));
    connections.push(own);
  }
  return { processes, connections, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
