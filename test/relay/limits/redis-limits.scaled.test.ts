import { randomUUID } from "node:crypto";
import { test } from "vitest";
import type { RelayClock } from "../../../relay/domain/ports.ts";
import { RedisLimits } from "../../../relay/limits/redis-limits.ts";
import { MemoryLimits } from "../../../relay/storage/memory/memory-limits.ts";
import { limitsContract } from "../../../relay/testing/limits-contract.ts";
import { sharedRedis } from "../../scaled/shared-engines.ts";

/** Redis counts by the case's clock. */
const CASES = limitsContract(async (clock: RelayClock) => {
  const { url } = await sharedRedis();
  const prefix = randomUUID();
  const opened: RedisLimits[] = [];
  return {
    open: async () => {
      const limits = await RedisLimits.open({
        url,
        prefix,
        // The machine may be busy with other tests.
        patienceMs: 20_000,
        clock,
        time: () => clock.now(),
        fallback: new MemoryLimits(clock),
        onTrouble: (error) => {
          throw error;
        },
      });
      opened.push(limits);
      return limits;
    },
    [Symbol.asyncDispose]: async () => {
      for (const limits of opened) await limits[Symbol.asyncDispose]();
    },
  };
});

for (const { title, run } of CASES) test(title, run);
