import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "../../engines/free-port.ts";
import { KillableRelay } from "../killable-relay.ts";
import { randomFrom } from "../random.ts";
import { App } from "../app.ts";
import { checkApp, checkApps } from "../check-app.ts";
import { KillableImporter } from "../importer.ts";
import { Ledger } from "../ledger.ts";
import { letPass } from "../real-time.ts";
import { LONG_WINDOWS } from "../settings.ts";
import { type CrashedRelay, untilLost, type World, worldOf } from "../world.ts";

/** Share of lives in which something is killed again while it starts, sweeps or resumes. */
const SECOND_KILLS = 0.3;
/** A start, with its sweep, is over by then; a busy machine takes longer. */
const LONGEST_START_MS = 400;
const LONGEST_RESUMING_MS = 800;
/** Share of lives in which the relay is killed as well, before the importer. */
const RELAY_KILLS = 0.2;
const MOST_PACKAGES = 3;
/** Older musicians are erased one by one. */
const MUSICIANS_KEPT = 30;

export interface CrashTally {
  readonly relayKills: number;
  readonly importerKills: number;
  /** Acknowledged facts in the ledger. */
  readonly facts: number;
  /** Comparisons of what was acknowledged with what there is. */
  readonly checks: number;
}

export interface CrashRun<Relay extends CrashedRelay = CrashedRelay> {
  /** Has the ledger and all data; an earlier run's is resumed. */
  readonly folder: string;
  readonly seed: number;
  readonly isEnough: (tally: CrashTally) => boolean;
  /** Called after each cycle; what it has is of this run alone, except the facts. */
  readonly onCycle?: (tally: CrashTally) => Promise<void> | void;
  /** Starts what is killed. */
  readonly open: (folder: string, random: () => number) => Promise<Relay>;
  /** Acts before the next life. */
  readonly whileDead?: (relay: Relay, random: () => number) => Promise<void>;
  /**
   * Number of cycles in a row that kill a relay, before others kill an importer; then all stores are checked. Default:
   * 20.
   */
  readonly relayCycles?: number;
  /** Default: 10. */
  readonly importerCycles?: number;
  /** Default: 500. */
  readonly longestLifeMs?: number;
}

/**
 * Kills a relay and an importer again and again while apps send, and checks everything that was acknowledged; first
 * what an earlier run left, at the end all.
 * @throws {BrokenPromise} at the first fact that was lost
 */
export async function runCrashes<Relay extends CrashedRelay>(
  run: CrashRun<Relay>,
): Promise<CrashTally> {
  const {
    folder,
    isEnough,
    onCycle,
    relayCycles = 20,
    importerCycles = 10,
    longestLifeMs = 500,
  } = run;
  await using ledger = await Ledger.open(join(folder, "ledger.jsonl"));
  const random = randomFrom(run.seed);
  await using relay = await run.open(folder, random);
  const world = worldOf<CrashedRelay>(relay, { ledger, random });
  const { checks } = world;
  let importerKills = 0;
  const tally = (): CrashTally => ({
    relayKills: relay.kills,
    importerKills,
    facts: ledger.facts,
    checks: checks.count,
  });
  const checkAll = async () => {
    await checkApps(world);
    await relay.stores.check(checks, ledger.promisedSounds);
    await relay.stores.checkWhole(checks);
  };
  await checkAll();
  // A resumed run's names continue where the ledger ends.
  const nextName = () => String(ledger.musicians.length);
  const whileDead = async () => run.whileDead?.(relay, random);
  while (!isEnough(tally())) {
    for (let cycle = 0; cycle < relayCycles && !isEnough(tally()); cycle += 1) {
      await killRelay(world, { name: nextName(), longestLifeMs, whileDead });
      await onCycle?.(tally());
    }
    await relay.stores.checkWhole(checks);
    if (importerCycles === 0 || isEnough(tally())) continue;
    const home = join(folder, `studio-${nextName()}`);
    await using importer = await KillableImporter.open(world, `${nextName()} studio`, home);
    const before = importerKills;
    for (let cycle = 0; cycle < importerCycles && !isEnough(tally()); cycle += 1) {
      await killImporter(world, importer, longestLifeMs);
      importerKills = before + importer.kills;
      await onCycle?.(tally());
    }
    await importer[Symbol.asyncDispose]();
    await rm(home, { recursive: true });
  }
  await checkAll();
  return tally();
}

/** A relay whose data is in the folder, and whose address stays, as importers know it by that. */
export async function openOneRelay(folder: string): Promise<KillableRelay> {
  const path = join(folder, "port");
  await writeFile(path, String(await freePort()), { flag: "wx" }).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
  const settings = { ...LONG_WINDOWS, SOUNDFERRY_PORT: await readFile(path, "utf8") };
  return KillableRelay.start(settings, join(folder, "relay"));
}

interface RelayCycle {
  /** Distinguishes its musicians from all others of the ledger. */
  readonly name: string;
  readonly longestLifeMs: number;
  readonly whileDead: () => Promise<void>;
}

/**
 * Kills the relay at a random moment while new musicians work and an old one is erased, sometimes once more during
 * the next start, and checks what the kills could have touched.
 */
async function killRelay(world: World, cycle: RelayCycle): Promise<void> {
  const { relay, random, ledger, checks } = world;
  const kept = ledger.musicians.filter(
    ({ importer, isErased }) => importer !== undefined && isErased === false,
  );
  const kills = kept.slice(0, Math.max(0, kept.length - MUSICIANS_KEPT)).slice(0, 5);
  const oldest = kills.map(({ who }) => new App(world, who));
  const apps = [0, 1, 2].map((index) => new App(world, `${cycle.name} musician ${index}`));
  const stop = new AbortController();
  const work = Promise.all([
    ...apps.map((app) => untilLost(() => app.begin().then(() => app.work(stop)))),
    ...oldest.map((app) => untilLost(() => app.erase())),
  ]);
  // The moment of the kill is what is tested: any, drawn by the seed.
  await Promise.race([work, letPass(random() * cycle.longestLifeMs)]);
  await relay.kill();
  // Those whose relay was another one lose no call.
  stop.abort();
  await work;
  await cycle.whileDead();
  while (random() < SECOND_KILLS) {
    relay.beginRestart();
    await letPass(random() * LONGEST_START_MS);
    await relay.kill();
  }
  await relay.restart();
  const others = [0, 1].flatMap(() => kept[Math.floor(random() * kept.length)] ?? []);
  const touched = [...apps, ...oldest, ...others].map(({ who }) => who);
  for (const who of new Set(touched)) await checkApp(world, who);
  await relay.stores.check(checks, ledger.promisedSounds);
  for (const app of apps) await app.finishAll();
}

/**
 * Kills the importer at a random moment while it imports, starts it again, and checks that everything arrives once,
 * whole, and reported.
 */
async function killImporter(
  { random, relay, checks }: World,
  importer: KillableImporter,
  longestLifeMs: number,
): Promise<void> {
  const { app } = importer;
  const sendSome = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1) await app.send();
  };
  const sending = untilLost(() => sendSome(1 + Math.floor(random() * MOST_PACKAGES)));
  const isRelayKilled = random() < RELAY_KILLS;
  await letPass(random() * longestLifeMs);
  if (isRelayKilled) await relay.kill();
  await letPass(isRelayKilled ? random() * longestLifeMs : 0);
  await importer.kill();
  await importer.checkSet();
  if (isRelayKilled) await relay.restart();
  while (random() < SECOND_KILLS) {
    importer.begin();
    await letPass(random() * LONGEST_RESUMING_MS);
    await importer.kill();
    await importer.checkSet();
  }
  await importer.start();
  await sending;
  for (const { key, id, states } of app.facts.packages) {
    if (states.length === 1 && states[0] === "imported") continue;
    const read = async () => (await app.status(key)).json.status;
    // An answer that got lost may have committed it.
    if (id === undefined || (await read()) === "uploading") await app.finish(key);
    await checks.becomes(`${key} is reported`, read, "imported");
    await app.note({ key, is: "imported" });
  }
  await importer.checkSettled();
}
