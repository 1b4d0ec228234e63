import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { once } from "node:events";
import { KillableRelay, LONG_WINDOWS } from "../relay/crash/killable-relay.ts";
import { randomFrom } from "../relay/crash/random.ts";
import { Checks } from "./checks.ts";
import { Ledger } from "./ledger.ts";
import { checkAll, killRelay } from "./relay-cycles.ts";
import type { CrashedRelay, CrashSite } from "./sender.ts";
import { Studio } from "./studio.ts";

export interface CrashTally {
  readonly relayKills: number;
  readonly importerKills: number;
  /** Acknowledged facts in the ledger. */
  readonly facts: number;
  /** Comparisons of what was acknowledged with what there is. */
  readonly checks: number;
}

export interface CrashRun {
  /** Has the ledger and all data; an earlier run's is resumed. */
  readonly folder: string;
  readonly seed: number;
  readonly isEnough: (tally: CrashTally) => boolean;
  /** Called after each cycle; what it has is of this run alone, except the facts. */
  readonly onCycle?: (tally: CrashTally) => Promise<void> | void;
  /** Starts what is killed. Default: a relay whose data is in the folder. */
  readonly open?: (folder: string, random: () => number) => Promise<CrashedRelay>;
  /** How many cycles in a row kill a relay, before others kill an importer; then all stores are checked. Default: 20. */
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
export async function runCrashes({
  folder,
  seed,
  isEnough,
  onCycle,
  open = openOneRelay,
  relayCycles = 20,
  importerCycles = 10,
  longestLifeMs = 500,
}: CrashRun): Promise<CrashTally> {
  await using ledger = await Ledger.open(join(folder, "ledger.jsonl"));
  const random = randomFrom(seed);
  await using relay = await open(folder, random);
  const checks = new Checks();
  const site: CrashSite = { relay, ledger, checks, random };
  let endedStudios = 0;
  const tally = (studio?: Studio): CrashTally => ({
    relayKills: relay.kills,
    importerKills: endedStudios + (studio?.kills ?? 0),
    facts: ledger.facts,
    checks: checks.count,
  });
  await checkAll(site);
  // A resumed run's names continue where the ledger ends.
  const nextName = () => String(ledger.musicians.length);
  while (!isEnough(tally())) {
    for (let cycle = 0; cycle < relayCycles && !isEnough(tally()); cycle += 1) {
      await killRelay(site, { name: nextName(), musicianCount: 3, longestLifeMs });
      await onCycle?.(tally());
    }
    await relay.stores.checkWhole(checks);
    if (isEnough(tally())) break;
    const name = nextName();
    await using studio = await Studio.open(site, `${name} studio`, join(folder, `studio-${name}`));
    for (let cycle = 0; cycle < importerCycles && !isEnough(tally(studio)); cycle += 1) {
      await studio.killImporter({ longestLifeMs });
      await onCycle?.(tally(studio));
    }
    endedStudios += studio.kills;
    await studio.close();
  }
  await checkAll(site);
  return tally();
}

async function openOneRelay(folder: string): Promise<KillableRelay> {
  const settings = { ...LONG_WINDOWS, SOUNDFERRY_PORT: await portOf(folder) };
  return KillableRelay.start(settings, join(folder, "relay"));
}

/** The relay keeps its address, as importers know it by that. */
async function portOf(folder: string): Promise<string> {
  const path = join(folder, "port");
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  await writeFile(path, String(address.port));
  return String(address.port);
}
