import { randomUUID } from "node:crypto";
import { RedisLimits, type RedisLimitsOptions } from "../../../relay/limits/redis-limits.ts";
import { MemoryLimits } from "../../../relay/storage/memory/memory-limits.ts";
import { runningTime } from "../../../relay/storage/system.ts";

/** For tests in which Redis is never away: the machine may be busy with other tests. */
export const PATIENT = { patienceMs: 30_000, onTrouble: refuseTrouble };

export function refuseTrouble(error: Error): never {
  throw error;
}

/** Limits of so many processes in one Redis, with keys of their own, counted by Redis' time. */
export async function openProcesses(
  count: number,
  options: Pick<RedisLimitsOptions, "url" | "patienceMs" | "onTrouble"> &
    Partial<RedisLimitsOptions>,
): Promise<{ readonly processes: readonly RedisLimits[] } & AsyncDisposable> {
  const prefix = randomUUID();
  const opened = new AsyncDisposableStack();
  const processes: RedisLimits[] = [];
  for (let index = 0; index < count; index += 1) {
    const { clock = runningTime } = options;
    const limits = await RedisLimits.open({
      prefix,
      clock,
      fallback: new MemoryLimits(clock),
      ...options,
    });
    processes.push(opened.use(limits));
  }
  return { processes, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
