import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { KillableRelay } from "./killable-relay.ts";
import { Musician } from "./musician.ts";
import { randomFrom } from "./random.ts";

/** How often a relay that was just started is killed again, so that a kill also hits what a start does. */
const SECOND_KILLS = 0.3;

/**
 * Kills a relay repeatedly at random times while musicians work with it. After every start and its first
 * sweep, checks that everything it answered is there, nothing is partial, and no bytes are left over. Returns
 * how many packages were sent.
 */
export async function surviveKills({
  kills,
  musicianCount,
  seed,
  longestLifeMs,
}: {
  readonly kills: number;
  /** How many work at the same time. */
  readonly musicianCount: number;
  readonly seed: number;
  readonly longestLifeMs: number;
}): Promise<number> {
  const random = randomFrom(seed);
  const all: Musician[] = [];
  await using relay = await KillableRelay.start();
  // On a slow machine the first kills may come before any package was sent: then a few more follow.
  const isEnough = (life: number) =>
    life > kills + 10 || (life > kills && all.some(({ packageCount }) => packageCount > 0));
  for (let life = 1; !isEnough(life); life += 1) {
    const musicians = Array.from(
      { length: musicianCount },
      (_, index) => new Musician(relay, `life ${life} musician ${index}`, random),
    );
    all.push(...musicians);
    const work = Promise.all(musicians.map((musician) => musician.workUntilLost()));
    // The moment of the kill is what is tested: any, drawn by the seed.
    await Promise.race([work, sleep(random() * longestLifeMs)]);
    await relay.kill();
    await work;
    await relay.restart();
    if (random() < SECOND_KILLS) {
      await relay.kill();
      await relay.restart();
    }
    await checkAll(relay, all);
    for (const musician of musicians) await musician.finishWhatWasLeft();
  }
  await checkAll(relay, all);
  return all.reduce((sum, { packageCount }) => sum + packageCount, 0);
}

async function checkAll(relay: KillableRelay, musicians: readonly Musician[]): Promise<void> {
  using database = new DatabaseSync(join(relay.folder, "relay.sqlite"), { readOnly: true });
  const unkept = database.prepare("SELECT key, state FROM sound_keys");
  await expect.poll(() => unkept.all(), { message: "what the kill left is swept" }).toEqual([]);
  const files = await readdir(join(relay.folder, "sounds"), { recursive: true });
  expect(files.filter((file) => file.endsWith(".part"))).toEqual([]);
  let promised = 0;
  for (const musician of musicians) promised += await musician.checkPromises();
  expect(files.filter((file) => file.includes("snd_"))).toHaveLength(promised);
  expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
}
