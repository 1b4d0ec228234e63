import { expect, test } from "vitest";
import { temporaryFolder } from "../../addon/temporary-folder.ts";
import { runCrashes } from "../../sim/crash/run-crashes.ts";
import { BrokenPromise } from "../../sim/world.ts";
import { CLUSTER_RUN, type ClusterRelay } from "./cluster-relay.ts";
import { openSharedCluster } from "./shared-cluster.ts";

test("[SC20] a run of kills notices that sounds are lost", async () => {
  let cluster: ClusterRelay | undefined;
  let lost = 0;
  const run = runCrashes({
    ...CLUSTER_RUN,
    folder: await temporaryFolder(),
    seed: 1,
    open: async (folder, random) => (cluster = await openSharedCluster(folder, random)),
    onCycle: async () => {
      lost = (await cluster?.stores.loseSounds()) ?? 0;
    },
    // Of each of the three musicians at most one was never acknowledged.
    isEnough: () => lost > 3,
  });
  await expect(run).rejects.toThrow(BrokenPromise);
});
