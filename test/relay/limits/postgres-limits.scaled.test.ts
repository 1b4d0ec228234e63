import { expect, test, vi } from "vitest";
import type { Bucket, RelayClock } from "../../../relay/domain/ports.ts";
import { PostgresLimits } from "../../../relay/limits/postgres-limits.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { limitsContract } from "../../contracts/relay/limits-contract.ts";
import { limitsDatabase, openOnDatabase, refuseTrouble } from "./opened-postgres.ts";

/** PostgreSQL counts by the case's clock. */
const CASES = limitsContract(async (clock: Pick<RelayClock, "now">) => {
  const url = await limitsDatabase();
  await using stack = new AsyncDisposableStack();
  const opened = stack.move();
  return {
    open: async () => {
      const connections = opened.use(
        await Connections.open({ url, max: 4, onTrouble: refuseTrouble }),
      );
      return opened.use(new PostgresLimits({ connections, clock, time: () => clock.now() }));
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
});

for (const { title, run } of CASES) test(title, run);

test("[SC16] each of three relays counts calls itself and exactly, and all else together", async () => {
  await using opened = await openOnDatabase(await limitsDatabase(), 3);
  const writes = opened.connections.map((connections) => vi.spyOn(connections, "write"));
  const window = { max: 5, windowMs: 60_000 };
  const allowedOf = async (bucket: Bucket) => {
    const allowed = opened.processes.map(() => 0);
    for (let event = 0; event < 30; event += 1) {
      const at = event % allowed.length;
      const verdict = await opened.processes[at]?.take([{ bucket, key: "key", window }]);
      if (verdict?.allowed === true) allowed[at] = (allowed[at] ?? 0) + 1;
    }
    return allowed;
  };
  expect(await allowedOf("calls")).toEqual([5, 5, 5]);
  expect(writes.flatMap(({ mock }) => mock.calls)).toEqual([]);
  expect(await allowedOf("codes")).toEqual([2, 2, 1]);
});
