import { join } from "node:path";
import { sharedPostgres, sharedSwift } from "../shared-engines.ts";
import { ClusterRelay } from "./cluster-relay.ts";

/** On the engines that the worker's files share. */
export async function openSharedCluster(
  folder: string,
  random: () => number,
): Promise<ClusterRelay> {
  const [postgres, swift] = [sharedPostgres(), sharedSwift()];
  return ClusterRelay.start(join(folder, "compiled"), random, { engines: { postgres, swift } });
}
