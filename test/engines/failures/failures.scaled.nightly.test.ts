import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Engines, startEngines } from "../cluster.ts";
import { Cutter } from "../../sim/cutter.ts";
import { letPass } from "../../sim/real-time.ts";
import { HURRIED_SWEEPS, SHIFTED_DATE } from "../../sim/settings.ts";
import { type World, worldOf } from "../../sim/world.ts";
import { ClusterRelay } from "./cluster-relay.ts";
import { checkAndFinish, Load } from "./load.ts";

const opened = new AsyncDisposableStack();
let engines: Engines;
let listening: Cutter;
let world: World<ClusterRelay>;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "soundferry-failures-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  engines = opened.use(await startEngines());
  const { postgres } = engines;
  listening = opened.use(await Cutter.to(`http://127.0.0.1:${postgres.port}`));
  await setClocks(0, 0, 0);
  const relay = await ClusterRelay.start(join(folder, "compiled"), () => 0.5, {
    engines,
    listenThrough: async (url) => url.replace(new URL(url).port, String(listening.port)),
    each: (index) => ({
      preload: [SHIFTED_DATE, HURRIED_SWEEPS],
      settings: { SHIFTED_DATE_FILE: join(folder, `clock-${index}`) },
    }),
  });
  world = worldOf(opened.use(relay));
});

afterAll(() => opened[Symbol.asyncDispose]());

async function setClocks(...ms: readonly number[]): Promise<void> {
  for (const [index, off] of ms.entries())
    await writeFile(join(folder, `clock-${index}`), String(off));
}

/** Lets a part fail while apps work, and says how long calls failed after it was there again. */
async function under(failure: (load: Load) => Promise<void>): Promise<void> {
  const load = new Load(world);
  try {
    await load.nextSuccess();
    await failure(load);
    const tookMs = await load.nextSuccess();
    process.stdout.write(`Calls succeed ${Math.round(tookMs)} ms after it was there again.\n`);
    // What was cut off must have had the time to go wrong.
    await letPass(1000);
  } catch (error) {
    // The next test starts with every part.
    listening.repair();
    const parts = [engines.postgres, engines.swift, ...world.relay.cluster.relays];
    await Promise.all(parts.map((part) => part.start()));
    await load.end().catch(() => undefined);
    throw error;
  }
  await load.end();
  await checkAndFinish(world);
}

test.each<[string, (load: Load) => Promise<void>]>([
  [
    "killing one of three relays loses nothing that was acknowledged",
    async (load) => {
      for (const relay of world.relay.cluster.relays) {
        await relay.kill();
        await load.nextSuccess();
        await relay.start();
      }
    },
  ],
  ["a restart of PostgreSQL loses nothing, and calls succeed again", () => away("postgres", 2000)],
  [
    "a PostgreSQL that is killed loses nothing",
    async () => {
      await engines.postgres.kill();
      await engines.postgres.start();
    },
  ],
  [
    "an S3 server that is away for 20 s loses nothing, and calls succeed again",
    () => away("swift", 20_000),
  ],
  [
    "clocks of relays that are 5 s wrong lose nothing",
    async () => {
      world.relay.wasClockWrong = true;
      await setClocks(-5000, 0, 5000);
      await letPass(5000);
      await setClocks(5000, 0, -5000);
      await letPass(5000);
      await setClocks(0, 0, 0);
    },
  ],
  [
    "relays that can't listen for 10 s lose nothing",
    async () => {
      listening.close();
      await letPass(10_000);
      listening.repair();
    },
  ],
])("[SC20] %s", (_, failure) => under(failure));

async function away(part: "postgres" | "swift", ms: number): Promise<void> {
  await engines[part].stop();
  await letPass(ms);
  await engines[part].start();
}

test("[SC20] in the end no sound is missing, and nothing unfinished is left off the record", async () => {
  const { ledger, relay, checks } = world;
  await checkAndFinish(world);
  const strangers = async () => (await relay.stores.count()).strangers;
  await checks.becomes("What has no record", strangers, []);
  // An upload that was cut off at its very end may have left a whole one, for the quarantine.
  expect((await relay.stores.count()).sounds).toBeGreaterThanOrEqual(ledger.promisedSounds);
  expect(ledger.facts).toBeGreaterThan(100);
});
