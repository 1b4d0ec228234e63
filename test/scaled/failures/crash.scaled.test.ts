import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { runCrashes } from "../../crash/run-crashes.ts";
import { BrokenPromise } from "../../sim/world.ts";
import { RANDOM_SEED } from "../../random-seed.ts";
import { sharedPostgres, sharedSwift } from "../shared-engines.ts";
import { CLUSTER_RUN, ClusterRelay } from "./cluster-relay.ts";

/** `npm run crash -- --scaled --minutes 20` is the whole form. */
const RELAY_KILLS = 2;
const IMPORTER_KILLS = 1;

async function openCluster(folder: string, random: () => number): Promise<ClusterRelay> {
  const [postgres, swift] = await Promise.all([sharedPostgres(), sharedSwift()]);
  const engines = { postgres, swift };
  return ClusterRelay.start(join(folder, "compiled"), random, { engines });
}

test("[SC20][R2][R4] killed relays of three, and killed importers, lose nothing that was acknowledged", async () => {
  const { facts, checks } = await runCrashes({
    ...CLUSTER_RUN,
    folder: await temporaryFolder(),
    seed: RANDOM_SEED,
    open: openCluster,
    isEnough: ({ relayKills, importerKills }) =>
      relayKills >= RELAY_KILLS && importerKills >= IMPORTER_KILLS,
  });
  process.stdout.write(`${facts} facts, ${checks} checks\n`);
  expect(facts).toBeGreaterThan(RELAY_KILLS + IMPORTER_KILLS);
});

test("[SC20] a run of kills notices that sounds are lost", async () => {
  let cluster: ClusterRelay | undefined;
  let lost = 0;
  const run = runCrashes({
    ...CLUSTER_RUN,
    folder: await temporaryFolder(),
    seed: 1,
    open: async (folder, random) => (cluster = await openCluster(folder, random)),
    onCycle: async () => {
      lost = (await cluster?.stores.loseSounds()) ?? 0;
    },
    // Of each of the three musicians at most one was never acknowledged.
    isEnough: () => lost > 3,
  });
  await expect(run).rejects.toThrow(BrokenPromise);
});
