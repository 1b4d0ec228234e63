import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { Musician } from "../relay/crash/musician.ts";
import { checkMusician } from "./check-musician.ts";
import { countStored } from "./facts.ts";
import type { CrashSite } from "./sender.ts";

/** How often a relay is killed again while it starts or sweeps. */
const SECOND_KILLS = 0.3;
/** A start, with its sweep, is over by then; a busy machine takes longer. */
const LONGEST_START_MS = 400;
/** Older musicians are erased one by one. */
const MUSICIANS_KEPT = 30;
const DAY_MS = 86_400_000;

export interface RelayCycle {
  /** Distinguishes its musicians from all others of the ledger. */
  readonly name: string;
  /** How many work at the same time. */
  readonly musicianCount: number;
  readonly longestLifeMs: number;
  /** How many days the machine's clock may be off in the next life. */
  readonly daysOff?: readonly number[];
}

/**
 * Kills the relay at a random moment while new musicians work and an old one is erased, sometimes once more during
 * the next start, and checks what the kills could have touched.
 */
export async function killRelay(site: CrashSite, cycle: RelayCycle): Promise<void> {
  const { relay, random, ledger } = site;
  const { daysOff = [0] } = cycle;
  const names = Array.from(
    { length: cycle.musicianCount },
    (_, index) => `${cycle.name} musician ${index}`,
  );
  const kept = ledger.musicians.filter(
    ({ importer, isErased }) => importer !== undefined && isErased === false,
  );
  const oldest = kept.slice(0, Math.max(0, kept.length - MUSICIANS_KEPT)).slice(0, 5);
  const musicians = names.map((name) => new Musician(site, name));
  const work = Promise.all([
    ...musicians.map((musician) => musician.workUntilLost()),
    ...oldest.map(({ who }) => new Musician(site, who).eraseUntilLost()),
  ]);
  // The moment of the kill is what is tested: any, drawn by the seed.
  await Promise.race([work, sleep(random() * cycle.longestLifeMs)]);
  await relay.kill();
  await work;
  await relay.shiftDate(DAY_MS * (daysOff[Math.floor(random() * daysOff.length)] ?? 0));
  while (random() < SECOND_KILLS) {
    relay.beginRestart();
    await sleep(random() * LONGEST_START_MS);
    await relay.kill();
  }
  await relay.restart();
  const others = Array.from({ length: 2 }, () => kept[Math.floor(random() * kept.length)]?.who);
  const touched = [...names, ...oldest.map(({ who }) => who), ...others.filter((one) => !!one)];
  for (const who of new Set(touched)) if (who) await checkMusician(site, who);
  await checkStores(site);
  for (const musician of musicians) await musician.finishWhatWasLeft();
}

/** Every sound of the ledger is stored, and no byte is left over. Every package's state must be known. */
export async function checkStores({ relay, ledger, checks }: CrashSite): Promise<void> {
  using database = new DatabaseSync(join(relay.folder, "relay.sqlite"), { readOnly: true });
  const doomed = database.prepare("SELECT key, state FROM sound_keys");
  await checks.becomes("What the kill left is swept", async () => doomed.all().length, 0);
  const list = () => readdir(join(relay.folder, "sounds"), { recursive: true });
  const parts = (await list()).filter((file) => file.endsWith(".part"));
  checks.same("No unfinished file is left", parts, []);
  const promised = ledger.musicians.reduce((sum, musician) => sum + countStored(musician), 0);
  // An upload that was finished, but not recorded, goes into the quarantine with a sweep (rule J2).
  const stored = async () =>
    (await list()).filter((file) => !file.startsWith(".quarantine") && file.includes("snd_"))
      .length;
  await checks.becomes("As many files as sounds", stored, promised);
}

/** Everything of the ledger, and the database from inside. */
export async function checkAll(site: CrashSite): Promise<void> {
  for (const { who } of site.ledger.musicians) await checkMusician(site, who);
  await checkStores(site);
  checkDatabase(site);
}

export function checkDatabase({ relay, checks }: CrashSite): void {
  using database = new DatabaseSync(join(relay.folder, "relay.sqlite"), { readOnly: true });
  const found = database.prepare("PRAGMA integrity_check").all();
  checks.same("The database is whole", { ...found[0] }, { integrity_check: "ok" });
  const orphans = database.prepare("PRAGMA foreign_key_check").all().length;
  checks.same("Every row belongs to one", orphans, 0);
}
