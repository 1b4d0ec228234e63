import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { worldOf } from "../../sim/world.ts";
import { ClusterRelay } from "./cluster-relay.ts";
import { checkAndFinish, Load } from "./load.ts";

/** `STOPS=200` is the whole form. */
const STOPS = Number(process.env["STOPS"] ?? 6);
/** Only for a test that hangs. */
const TIMEOUT_MS = 600_000 + STOPS * 30_000;
const settings = { SOUNDFERRY_STOP_DELAY_S: "1", SOUNDFERRY_STOP_GRACE_S: "5" };

test(
  `[SC20] ${STOPS} stops and kills of relays while musicians send lose no file and leave none behind`,
  { timeout: TIMEOUT_MS },
  async () => {
    await using relay = await ClusterRelay.start(await temporaryFolder(), () => 0.5, { settings });
    const world = worldOf(relay);
    const load = new Load(world);
    for (let stop = 0; stop < STOPS; stop += 1) {
      const stopped = relay.cluster.relay(stop % relay.cluster.relays.length);
      // Two of three in good order, one as if its power were cut.
      await (stop % 3 === 1 ? stopped.kill() : stopped.stop());
      await load.nextSuccess();
      await stopped.start();
    }
    await load.end();
    await checkAndFinish(world);
    const { promisedSounds: sounds, facts } = world.ledger;
    expect(sounds).toBeGreaterThan(STOPS);
    // Keys of killed relays end about two minutes later (rule SC24).
    const kept = { sounds, strangers: [], pending: 0 };
    await world.checks.becomes("What is stored", () => relay.stores.count(), kept, 300_000);
    process.stdout.write(`${sounds} sounds, ${facts} facts, ${world.checks.count} comparisons.\n`);
  },
);
