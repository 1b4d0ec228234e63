import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import type { CountedIn, Window } from "../../../relay/domain/ports.ts";
import { LimitStatements } from "../../../relay/limits/limit-statements.ts";
import { MemoryLimits } from "../../../relay/limits/memory-limits.ts";
import { PostgresLimits } from "../../../relay/limits/postgres-limits.ts";
import { Connections } from "../../../relay/storage/postgres/connections.ts";
import { runningTime } from "../../../relay/storage/system.ts";
import { seeded } from "../../contracts/relay/records/seeded.ts";
import { startPgbouncer } from "../../engines/pgbouncer.ts";
import { startPostgres } from "../../engines/postgres.ts";
import { sharedPostgres } from "../../engines/shared-engines.ts";
import { RANDOM_SEED, randomSeeds } from "../../runner/random-seed.ts";
import { until } from "../../sim/until.ts";
import { SetClock } from "../set-clock.ts";
import { limitsDatabase, openOnDatabase } from "./opened-postgres.ts";
import { compareWithModel } from "./random-limits.ts";
import { mostWithin, spreadEvents } from "./spread-events.ts";

const HOUR = 3_600_000;
const FAST = { events: 1500, spanMs: 9000, window: { max: 600, windowMs: 6000 } };

test("[SC17] 1,500 events over three relays, whose clocks differ by 5 s: never more than 600 in a window", async () => {
  const url = await limitsDatabase();
  const opened = new AsyncDisposableStack();
  onTestFinished(() => opened.disposeAsync());
  const processes = [];
  for (const aheadMs of [-5000, 0, 5000]) {
    const clock = { now: () => runningTime.now() + aheadMs };
    processes.push(...opened.use(await openOnDatabase(url, 1, { clock })).processes);
  }
  const allowed = await spreadEvents(processes, FAST);
  expect(mostWithin(allowed, FAST.window.windowMs)).toBeLessThanOrEqual(600);
  expect(allowed.length).toBeGreaterThan(600);
});

test("[SC17] random events over three relays are counted as a plain model counts them", async () => {
  for (const seed of randomSeeds(3)) {
    const clock = new SetClock();
    const url = await limitsDatabase();
    await using opened = await openOnDatabase(url, 3, { clock, time: () => clock.now() });
    await compareWithModel(seed, 300, {
      clock,
      model: new MemoryLimits(clock),
      processes: opened.processes,
    });
  }
});

test("[SC17] random events in any order on many connections never deadlock, and give back what they took", async () => {
  const url = await limitsDatabase();
  await using opened = await openOnDatabase(url, 3);
  const { processes } = opened;
  const { below: random } = seeded(RANDOM_SEED);
  const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`);
  const windows = (): CountedIn[] =>
    [...keys]
      .sort(() => random(3) - 1)
      .slice(0, 1 + random(6))
      .map((key) => ({ bucket: "codes", key, window: { max: 300, windowMs: HOUR } }));
  let taken = 0;
  await Promise.all(
    processes.flatMap((limits) =>
      Array.from({ length: 12 }, async () => {
        for (let index = 0; index < 25; index += 1) {
          const verdict = await limits.take(windows());
          if (verdict.allowed) taken += 1;
          await verdict.refund();
        }
      }),
    ),
  );
  expect(taken).toBe(900);
  for (const key of keys) {
    const window = { max: 300, windowMs: HOUR };
    expect(await processes[0]?.take([{ bucket: "codes", key, window }])).toMatchObject({
      remaining: 299,
    });
  }
  const client = await connect(sharedPostgres().url);
  const { rows } = await client.query(
    "SELECT sum(deadlocks)::int AS deadlocks FROM pg_stat_database",
  );
  expect(rows).toEqual([{ deadlocks: 0 }]);
});

test("[SC17] behind pgbouncer in transaction mode, with fewer connections than relays use, they count the same", async () => {
  const pooler = await startPgbouncer(sharedPostgres(), { poolSize: 3 });
  onTestFinished(() => pooler[Symbol.asyncDispose]());
  const clock = new SetClock();
  const url = pooler.urlOf(await limitsDatabase());
  await using opened = await openOnDatabase(url, 3, { clock, time: () => clock.now() });
  const { processes, connections } = opened;
  expect(connections.map(({ isPooled }) => isPooled)).toEqual([true, true, true]);
  await compareWithModel(4, 200, { clock, model: new MemoryLimits(clock), processes });
  for (const max of [50, 5000]) {
    const window = { max, windowMs: HOUR };
    const verdicts = await Promise.all(
      Array.from({ length: 120 }, async (_, index) =>
        processes[index % 3]?.take([
          { bucket: "codes", key: `of ${max}`, window },
          { bucket: "codes", key: `${index}`, window },
        ]),
      ),
    );
    expect(verdicts.filter((verdict) => verdict?.allowed)).toHaveLength(Math.min(max, 120));
  }
});

test("[SC17] what is refused writes nothing and waits for no lock", async () => {
  const url = await limitsDatabase();
  await using opened = await openOnDatabase(url, 2);
  const [one, other] = opened.processes;
  const window = { max: 1, windowMs: HOUR };
  expect(await one?.take([{ bucket: "pairing-tries", key: "full", window }])).toMatchObject({
    allowed: true,
  });
  const client = await connect(url);
  await client.query("BEGIN; SELECT lock_limits(ARRAY(SELECT key FROM limit_counters))");
  const before = await client.query("SELECT xmin, key FROM limit_counters");
  for (const limits of [one, other]) {
    expect(await limits?.take([{ bucket: "pairing-tries", key: "full", window }])).toMatchObject({
      allowed: false,
    });
    const both: CountedIn[] = ["full", "new"].map((key) => ({
      bucket: "pairing-tries",
      key,
      window,
    }));
    expect(await limits?.take(both)).toMatchObject({ allowed: false });
  }
  expect((await client.query("SELECT xmin, key FROM limit_counters")).rows).toEqual(before.rows);
  await client.query("ROLLBACK");
});

test("[SC17] what is over is deleted in batches, also by several processes at once", async () => {
  const clock = new SetClock();
  const url = await limitsDatabase();
  await using opened = await openOnDatabase(url, 2, { clock, time: () => clock.now() });
  const [limits] = opened.processes;
  const window = { max: 5, windowMs: 60_000 };
  const countAll = () =>
    Promise.all(
      Array.from({ length: 50 }, async (_, index) =>
        limits?.take([{ bucket: "codes", key: `${index}`, window }]),
      ),
    );
  await countAll();
  clock.time += 2 * HOUR;
  await limits?.take([{ bucket: "codes", key: "now", window }]);
  const statements = opened.connections.map(
    (connections) => new LimitStatements(connections, () => clock.now()),
  );
  const deleted = [0, 0];
  await Promise.all(
    statements.map(async (one, at) => {
      for (;;) {
        const [count] = await Promise.all([
          one.deleteOld(7),
          limits?.take([{ bucket: "codes", key: "3", window }]),
        ]);
        if (count === 0) return;
        expect(count).toBeLessThanOrEqual(7);
        deleted[at] = (deleted[at] ?? 0) + count;
      }
    }),
  );
  // "3" is counted again meanwhile, perhaps before it was deleted.
  const sum = deleted.reduce((all, count) => all + count, 0);
  expect([49, 50]).toContain(sum);
  const client = await connect(url);
  expect((await client.query("SELECT 1 FROM limit_counters")).rowCount).toBe(2);
  expect((await countAll()).filter((verdict) => verdict?.remaining === 4)).toHaveLength(49);
});

test("[SC17] while PostgreSQL is away nothing is allowed, and it goes on when that is back", async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres[Symbol.asyncDispose]());
  const url = await limitsDatabase(postgres);
  await using connections = await Connections.open({ url, max: 3, onTrouble: () => undefined });
  await using limits = new PostgresLimits({ connections, clock: runningTime });
  const small = { max: 3, windowMs: HOUR };
  const large = { max: 3000, windowMs: HOUR };
  await limits.take([{ bucket: "codes", key: "device", window: small }]);
  const right = await limits.take([{ bucket: "pairing-tries", key: "address", window: small }]);
  await postgres.kill();
  // A claim that has succeeded isn't refused because its try can't be given back.
  await right.refund();
  const refuses = (key: string, window: Window) =>
    expect(limits.take([{ bucket: "codes", key, window }])).rejects.toMatchObject({
      name: expect.stringMatching(/^(StoreTroubleError|OutcomeUnknownError)$/),
    });
  // Processes that serve a connection end a moment after their server: all of them are asked at once.
  let looks = 0;
  await until(() => {
    looks += 1;
    return Promise.all([1, 2, 3].map((at) => refuses(`${looks}-${at}`, small)));
  });
  for (const window of [small, large]) await refuses("device", window);
  await postgres.start();
  await until(async () =>
    expect(await limits.take([{ bucket: "codes", key: "device", window: large }])).toMatchObject({
      allowed: true,
    }),
  );
  // Durable: the first of three has outlived the crash; the second was counted just now.
  expect((await limits.take([{ bucket: "codes", key: "device", window: small }])).remaining).toBe(
    0,
  );
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
