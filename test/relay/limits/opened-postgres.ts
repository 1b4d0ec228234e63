import {
  PostgresLimits,
  type PostgresLimitsOptions,
} from "../../../relay/limits/postgres-limits.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { runningTime } from "../../../relay/storage/system.ts";

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
