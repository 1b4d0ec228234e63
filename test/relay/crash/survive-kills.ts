import { rm } from "node:fs/promises";
import { Checks } from "../../crash/checks.ts";
import { Ledger } from "../../crash/ledger.ts";
import { checkAll, killRelay, type RelayCycle } from "../../crash/relay-cycles.ts";
import { KillableRelay } from "./killable-relay.ts";
import { randomFrom } from "./random.ts";

/**
 * Kills a relay repeatedly at random times while musicians work with it. After every start and its first
 * sweep, checks that what it answered is there, nothing is partial, and no bytes are left over. Returns
 * how many packages were announced.
 */
export async function surviveKills({
  kills,
  seed,
  ...cycle
}: Omit<RelayCycle, "name"> & {
  readonly kills: number;
  readonly seed: number;
}): Promise<number> {
  await using relay = await KillableRelay.start();
  const path = `${relay.folder}.ledger`;
  await using _file = { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  await using ledger = await Ledger.open(path);
  const site = { relay, ledger, checks: new Checks(), random: randomFrom(seed) };
  const announced = () =>
    ledger.musicians.flatMap(({ packages }) => packages).filter(({ id }) => id !== undefined)
      .length;
  // On a slow machine the first kills may come before any package was sent: then a few more follow.
  const isEnough = (life: number) => life > kills + 10 || (life > kills && announced() > 0);
  for (let life = 1; !isEnough(life); life += 1) {
    await killRelay(site, { ...cycle, name: `life ${life}` });
  }
  await checkAll(site);
  return announced();
}
