import { expect, test } from "vitest";
import type { RelayClock } from "../../../relay/domain/ports.ts";
import { openSharedLimits } from "../../../relay/limits/shared-limits.ts";
import { MemoryLimits } from "../../../relay/storage/memory/memory-limits.ts";
import { runningTime } from "../../../relay/storage/system.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { limitsContract } from "../../../relay/testing/limits-contract.ts";
import { sharedRedis } from "../../scaled/shared-engines.ts";
import { limitsDatabase } from "./limits-database.ts";
import { PATIENT, refuseTrouble } from "./opened-limits.ts";

const MINUTE = 60_000;

/** Calls in Redis, tries in PostgreSQL, all by the case's clock. */
const CASES = limitsContract(async (clock: RelayClock) => {
  const { url: redisUrl } = await sharedRedis();
  const url = await limitsDatabase();
  const opened = new AsyncDisposableStack();
  return {
    open: async () => {
      const connections = opened.use(
        await Connections.open({ url, max: 4, onTrouble: refuseTrouble }),
      );
      return opened.use(
        await openSharedLimits({
          ...PATIENT,
          redisUrl,
          connections,
          clock,
          time: () => clock.now(),
          fallback: new MemoryLimits(clock),
        }),
      );
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
});

for (const { title, run } of CASES) test(title, run);

test("[SC16] without Redis, calls count per process with the full limit, and it says so", async () => {
  await using stack = new AsyncDisposableStack();
  const url = await limitsDatabase();
  const open = async () => {
    const connections = stack.use(
      await Connections.open({ url, max: 3, onTrouble: refuseTrouble }),
    );
    const fallback = new MemoryLimits(runningTime);
    return stack.use(
      await openSharedLimits({
        ...PATIENT,
        redisUrl: undefined,
        connections,
        clock: runningTime,
        fallback,
      }),
    );
  };
  const processes = [await open(), await open(), await open()];
  expect(processes.map(({ trouble }) => trouble)).toEqual(
    processes.map(
      () =>
        "Calls are counted per process, each with the full limit: SOUNDFERRY_REDIS_URL is not set.",
    ),
  );
  let [calls, codes] = [0, 0];
  const window = { max: 5, windowMs: MINUTE };
  for (let index = 0; index < 30; index += 1) {
    for (const limits of processes) {
      if ((await limits.count("calls", "token", window)).allowed) calls += 1;
      if ((await limits.count("codes", "device", window)).allowed) codes += 1;
    }
  }
  expect([calls, codes]).toEqual([15, 5]);
});

test("[SC16] relays of different databases don't meet in one Redis", async () => {
  await using stack = new AsyncDisposableStack();
  const { url: redisUrl } = await sharedRedis();
  const counted: boolean[] = [];
  for (const url of [await limitsDatabase(), await limitsDatabase()]) {
    for (const _ of [1, 2]) {
      const connections = stack.use(
        await Connections.open({ url, max: 3, onTrouble: refuseTrouble }),
      );
      const fallback = new MemoryLimits(runningTime);
      const options = { ...PATIENT, redisUrl, connections, clock: runningTime, fallback };
      const limits = stack.use(await openSharedLimits(options));
      expect(limits.trouble).toBe(undefined);
      counted.push((await limits.count("calls", "token", { max: 1, windowMs: MINUTE })).allowed);
    }
  }
  expect(counted).toEqual([true, false, true, false]);
});
