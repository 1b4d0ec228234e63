import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cluster, type Engines, startCluster, startEngines } from "../../../scaled/cluster.ts";
import { countBucket } from "./count-bucket.ts";
import { type CutProxy, startCutProxy } from "./cut-proxy.ts";
import { Load } from "./load.ts";
import { HURRIED_SWEEPS, ROOMY_SETTINGS } from "./roomy-settings.ts";

const SHIFTED_DATE = join(import.meta.dirname, "../../relay/crash/shifted-date.ts");

const opened = new AsyncDisposableStack();
let engines: Engines;
let listening: CutProxy;
let cluster: Cluster;
let load: Load;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-failures-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  engines = opened.use(await startEngines());
  listening = opened.use(await startCutProxy(engines.postgres.port));
  for (const index of [0, 1, 2]) await setClock(index, 0);
  cluster = opened.use(
    await startCluster({
      engines,
      settings: ROOMY_SETTINGS,
      listenThrough: async (databaseUrl) => withPort(databaseUrl, listening.port),
      each: (index) => ({
        preload: [SHIFTED_DATE, HURRIED_SWEEPS],
        settings: { SHIFTED_DATE_FILE: clockOf(index) },
      }),
    }),
  );
  load = opened.use(await Load.open(cluster.url, folder, 16));
});

afterAll(() => opened[Symbol.asyncDispose]());

/** Lets a part fail while musicians work, and says how long calls failed after it was there again. */
async function under(failure: () => Promise<void>): Promise<void> {
  load.begin();
  try {
    await load.nextSuccess();
    await failure();
    const tookMs = await load.nextSuccess();
    process.stdout.write(`Calls succeed ${Math.round(tookMs)} ms after it was there again.\n`);
    // What was cut off must have had the time to go wrong.
    await sleep(1000);
  } catch (error) {
    // The next test starts with every part.
    await mendAll();
    await load.end().catch(() => undefined);
    throw error;
  }
  await load.end();
  await load.check();
}

async function mendAll(): Promise<void> {
  listening.mend();
  const parts = [engines.postgres, engines.redis, engines.swift, ...cluster.relays];
  await Promise.all(parts.map((part) => part.start()));
}

test("[SC20] killing one of three relays loses nothing that was acknowledged", async () => {
  await under(async () => {
    for (const relay of cluster.relays) {
      await relay.kill();
      await load.nextSuccess();
      await relay.start();
    }
  });
});

test("[SC20] a restart of PostgreSQL loses nothing, and calls succeed again", async () => {
  await under(async () => {
    await engines.postgres.stop();
    await sleep(2000);
    await engines.postgres.start();
  });
});

test("[SC20] a PostgreSQL that is killed loses nothing", async () => {
  await under(async () => {
    await engines.postgres.kill();
    await engines.postgres.start();
  });
});

test("[SC20] an S3 server that is away for 20 s loses nothing, and calls succeed again", async () => {
  await under(async () => {
    await engines.swift.stop();
    await sleep(20_000);
    await engines.swift.start();
  });
});

test("[SC20] without Redis calls go on", async () => {
  const refused = load.relay.refused;
  await under(async () => {
    await engines.redis.stop();
    await load.nextSuccess();
    await sleep(3000);
    await load.nextSuccess();
    await engines.redis.start();
  });
  expect(load.relay.refused).toBe(refused);
});

test("[SC20] clocks of relays that are 5 s wrong lose nothing", async () => {
  await under(async () => {
    await setClock(0, -5000);
    await setClock(2, 5000);
    await sleep(5000);
    await setClock(0, 5000);
    await setClock(2, -5000);
    await sleep(5000);
    for (const index of [0, 1, 2]) await setClock(index, 0);
  });
});

test("[SC20] relays that can't listen for 10 s lose nothing", async () => {
  await under(async () => {
    listening.cut();
    await sleep(10_000);
    listening.mend();
  });
});

test("[SC20] in the end no sound is missing, and nothing unfinished is left off the record", async () => {
  await load.check();
  await expect
    .poll(async () => (await countBucket(cluster)).strangers, { timeout: 60_000, interval: 1000 })
    .toEqual([]);
  // An upload that was cut off at its very end may have left a whole one, for the quarantine.
  expect((await countBucket(cluster)).sounds).toBeGreaterThanOrEqual(load.promisedSounds);
  expect(load.facts).toBeGreaterThan(100);
});

function clockOf(index: number): string {
  return join(folder, `clock-${index}`);
}

async function setClock(index: number, ms: number): Promise<void> {
  if (load !== undefined && ms !== 0) load.relay.wasClockWrong = true;
  await writeFile(clockOf(index), String(ms));
}

function withPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}
