import { rm } from "node:fs/promises";
import { Checks } from "../../crash/checks.ts";
import { Ledger } from "../../crash/ledger.ts";
import { checkAll, killRelay, type RelayCycle } from "../../crash/relay-cycles.ts";
import { KillableRelay } from "./killable-relay.ts";
import { randomFrom } from "./random.ts";

const DAY_MS = 86_400_000;

/**
 * Kills a relay repeatedly at random times while musicians work with it. After every start and its first
 * sweep, checks that what it answered is there, nothing is partial, and no bytes are left over. Returns
 * how many packages were announced.
 */
export async function surviveKills({
  kills,
  seed,
  daysOff = [0],
  ...cycle
}: Omit<RelayCycle, "name" | "whileDead"> & {
  readonly kills: number;
  readonly seed: number;
  /** How many days the machine's clock may be off in the next life. */
  readonly daysOff?: readonly number[];
}): Promise<number> {
  await using relay = await KillableRelay.start();
  const path = `${relay.folder}.ledger`;
  await using _file = { [Symbol.asyncDispose]: () => rm(path, { force: true }) };
  await using ledger = await Ledger.open(path);
  const random = randomFrom(seed);
  const site = { relay, ledger, checks: new Checks(), random };
  const whileDead = () =>
    relay.shiftDate(DAY_MS * (daysOff[Math.floor(random() * daysOff.length)] ?? 0));
  const announced = () =>
    ledger.musicians.flatMap(({ packages }) => packages).filter(({ id }) => id !== undefined)
      .length;
  // On a slow machine the first kills may come before any package was sent: then a few more follow.
  const isEnough = (life: number) => life > kills + 10 || (life > kills && announced() > 0);
  for (let life = 1; !isEnough(life); life += 1) {
    await killRelay(site, { ...cycle, whileDead, name: `life ${life}` });
  }
  await checkAll(site);
  return announced();
}
