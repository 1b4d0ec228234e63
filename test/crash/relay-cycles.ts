import { setTimeout as sleep } from "node:timers/promises";
import { Musician } from "../relay/crash/musician.ts";
import { checkMusician } from "./check-musician.ts";
import type { CrashSite } from "./sender.ts";

/** How often a relay is killed again while it starts or sweeps. */
const SECOND_KILLS = 0.3;
/** A start, with its sweep, is over by then; a busy machine takes longer. */
const LONGEST_START_MS = 400;
/** Older musicians are erased one by one. */
const MUSICIANS_KEPT = 30;

export interface RelayCycle {
  /** Distinguishes its musicians from all others of the ledger. */
  readonly name: string;
  /** How many work at the same time. */
  readonly musicianCount: number;
  readonly longestLifeMs: number;
  /** What happens before the next life. */
  readonly whileDead?: () => Promise<void>;
}

/**
 * Kills the relay at a random moment while new musicians work and an old one is erased, sometimes once more during
 * the next start, and checks what the kills could have touched.
 */
export async function killRelay(site: CrashSite, cycle: RelayCycle): Promise<void> {
  const { relay, random, ledger } = site;
  const names = Array.from(
    { length: cycle.musicianCount },
    (_, index) => `${cycle.name} musician ${index}`,
  );
  const kept = ledger.musicians.filter(
    ({ importer, isErased }) => importer !== undefined && isErased === false,
  );
  const oldest = kept.slice(0, Math.max(0, kept.length - MUSICIANS_KEPT)).slice(0, 5);
  const musicians = names.map((name) => new Musician(site, name));
  const stop = new AbortController();
  const work = Promise.all([
    ...musicians.map((musician) => musician.workUntilLost(stop.signal)),
    ...oldest.map(({ who }) => new Musician(site, who).eraseUntilLost()),
  ]);
  // The moment of the kill is what is tested: any, drawn by the seed.
  await Promise.race([work, sleep(random() * cycle.longestLifeMs)]);
  await relay.kill();
  // Those whose relay was another one lose no call.
  stop.abort();
  await work;
  await cycle.whileDead?.();
  while (random() < SECOND_KILLS) {
    relay.beginRestart();
    await sleep(random() * LONGEST_START_MS);
    await relay.kill();
  }
  await relay.restart();
  const others = Array.from({ length: 2 }, () => kept[Math.floor(random() * kept.length)]?.who);
  const touched = [...names, ...oldest.map(({ who }) => who), ...others.filter((one) => !!one)];
  for (const who of new Set(touched)) if (who) await checkMusician(site, who);
  await relay.stores.check(site.checks, ledger.promisedSounds);
  for (const musician of musicians) await musician.finishWhatWasLeft();
}

/** Everything of the ledger, and the stores as a whole. */
export async function checkAll(site: CrashSite): Promise<void> {
  const { relay, ledger, checks } = site;
  for (const { who } of ledger.musicians) await checkMusician(site, who);
  await relay.stores.check(checks, ledger.promisedSounds);
  await relay.stores.checkWhole(checks);
}
