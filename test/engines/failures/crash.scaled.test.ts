import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { runCrashes } from "../../sim/crash/run-crashes.ts";
import { RANDOM_SEED } from "../../runner/random-seed.ts";
import { CLUSTER_RUN } from "./cluster-relay.ts";
import { openSharedCluster } from "./shared-cluster.ts";

/** `npm run crash -- --scaled --minutes 20` is the whole form. */
test("[SC20][R2] a killed relay of three loses nothing that was acknowledged", async () => {
  const { facts, checks } = await runCrashes({
    ...CLUSTER_RUN,
    folder: await temporaryFolder(),
    seed: RANDOM_SEED,
    open: openSharedCluster,
    isEnough: ({ relayKills }) => relayKills > 0,
  });
  process.stdout.write(`${facts} facts, ${checks} checks\n`);
  expect(facts).toBeGreaterThan(1);
});
