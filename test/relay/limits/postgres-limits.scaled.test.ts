import { test } from "vitest";
import type { RelayClock } from "../../../relay/domain/ports.ts";
import { PostgresLimits } from "../../../relay/limits/postgres-limits.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { limitsContract } from "../../../relay/testing/limits-contract.ts";
import { limitsDatabase } from "./limits-database.ts";

/** PostgreSQL counts by the case's clock. */
const CASES = limitsContract(async (clock: RelayClock) => {
  const url = await limitsDatabase();
  await using stack = new AsyncDisposableStack();
  const opened = stack.move();
  return {
    open: async () => {
      const connections = opened.use(await Connections.open({ url, max: 4, onTrouble }));
      return opened.use(new PostgresLimits({ connections, clock, time: () => clock.now() }));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
});

for (const { title, run } of CASES) test(title, run);

function onTrouble(error: Error): never {
  throw error;
}
