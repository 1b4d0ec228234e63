import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis as Client } from "ioredis";
import { expect, onTestFinished, test, vi } from "vitest";
import { startRedis } from "../../../scaled/engines/redis.ts";
import { freePort } from "../../../scaled/engines/free-port.ts";
import { openProcesses } from "./opened-limits.ts";
import { mostWithin, spreadCalls } from "./spread-calls.ts";

const WINDOW = { max: 600, windowMs: 6000 };
const FAST = { calls: 1500, spanMs: 9000, window: WINDOW };

/** A Redis of its own, which the test may stop. */
async function redisToStop() {
  const redis = await startRedis();
  onTestFinished(() => redis[Symbol.asyncDispose]());
  return redis;
}

async function processesAt(url: string, count = 3) {
  const troubles: string[] = [];
  const onTrouble = (error: Error) => void troubles.push(error.message);
  const opened = await openProcesses(count, { url, onTrouble, patienceMs: 1000 });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return { processes: opened.processes, troubles };
}

test("[SC16] without a Redis at its address, each of three relays allows the full limit", async () => {
  const port = await freePort();
  const { processes, troubles } = await processesAt(`redis://:secret@127.0.0.1:${port}`);
  const sentence = `Calls are counted per process, each with the full limit: Redis at 127.0.0.1:${port} is away (ECONNREFUSED).`;
  expect(processes.map(({ trouble }) => trouble)).toEqual([sentence, sentence, sentence]);
  const allowed = await spreadCalls(processes, FAST);
  expect(mostWithin(allowed, WINDOW.windowMs)).toBeLessThanOrEqual(1800);
  expect(allowed.length).toBeGreaterThanOrEqual(600);
  // Each says so once, however often it tries to connect.
  expect(troubles).toEqual([sentence, sentence, sentence]);
});

test("[SC16] Redis is stopped and comes back under load: every call is answered, no relay allows more than the limit", async () => {
  const redis = await redisToStop();
  const { processes, troubles } = await processesAt(redis.url);
  expect(processes.map(({ trouble }) => trouble)).toEqual([undefined, undefined, undefined]);
  const own = processes.map((limits) =>
    spreadCalls([limits], { calls: 2500, spanMs: 15_000, window: WINDOW }),
  );
  const restarting = sleep(3000)
    .then(() => redis.kill())
    .then(() => sleep(3000))
    .then(() => redis.start());
  const allowed = await Promise.all(own);
  await restarting;
  for (const one of allowed) {
    expect(mostWithin(one, WINDOW.windowMs)).toBeLessThanOrEqual(600);
  }
  const all = allowed.flat().sort((one, other) => one.from - other.from);
  expect(mostWithin(all, WINDOW.windowMs)).toBeLessThanOrEqual(1800);
  expect(all.length).toBeGreaterThanOrEqual(1200);
  expect(troubles).toHaveLength(3);
  await vi.waitFor(
    () =>
      expect(processes.map(({ trouble }) => trouble)).toEqual([undefined, undefined, undefined]),
    { timeout: 30_000 },
  );
  // They count together again.
  const together = await spreadCalls(processes, {
    calls: 30,
    spanMs: 10,
    window: { max: 10, windowMs: 60_000 },
  });
  expect(together).toHaveLength(10);
});

test("[SC16] calls are answered while Redis hangs, and counted there once it goes on", async () => {
  const redis = await redisToStop();
  const { processes, troubles } = await processesAt(redis.url, 2);
  const window = { max: 5, windowMs: 60_000 };
  const [one, other] = processes;
  expect((await one?.count("calls", "token", window))?.remaining).toBe(4);
  redis.signal("SIGSTOP");
  // All at once, and one after the other once it is known.
  const waiting = await Promise.all(
    Array.from({ length: 10 }, async () => one?.count("calls", "token", window)),
  );
  expect(waiting.filter((verdict) => verdict?.allowed === true)).toHaveLength(4);
  for (let index = 0; index < 10; index += 1) await other?.count("calls", "token", window);
  expect(troubles).toEqual([
    expect.stringContaining("is away (no answer within 1000 ms)."),
    expect.stringContaining("is away (no answer within 1000 ms)."),
  ]);
  redis.signal("SIGCONT");
  await vi.waitFor(() => expect([one?.trouble, other?.trouble]).toEqual([undefined, undefined]), {
    timeout: 30_000,
  });
  // What each has allowed alone still counts for itself.
  expect(await one?.count("calls", "token", window)).toMatchObject({ allowed: false });
  expect(await one?.count("calls", "another", window)).toMatchObject({ remaining: 4 });
  expect(await other?.count("calls", "another", window)).toMatchObject({ remaining: 3 });
});

test("[SC16] a Redis without memory counts as away", async () => {
  const redis = await redisToStop();
  const { processes } = await processesAt(redis.url, 1);
  const [limits] = processes;
  const client = new Client(redis.url);
  onTestFinished(() => client.disconnect());
  await client.config("SET", "maxmemory", "1");
  const window = { max: 5, windowMs: 60_000 };
  expect(await limits?.count("calls", "token", window)).toMatchObject({ remaining: 4 });
  expect(limits?.trouble).toContain("OOM");
  await client.config("SET", "maxmemory", "0");
  await vi.waitFor(() => expect(limits?.trouble).toBe(undefined), { timeout: 30_000 });
});

test("[SC16] a server that takes connections and never answers keeps neither start nor calls waiting", async () => {
  const silent = createServer((socket) => void socket.on("error", () => undefined).resume());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  const address = silent.address();
  if (address === null || typeof address === "string") throw new Error("It has no port.");
  const { processes } = await processesAt(`redis://127.0.0.1:${address.port}`, 1);
  const [limits] = processes;
  expect(limits?.trouble).toContain("no answer within 3000 ms");
  expect(await limits?.count("calls", "token", WINDOW)).toMatchObject({ remaining: 599 });
});
