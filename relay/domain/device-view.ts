import type { Context } from "./context.ts";
import type { PackageRecord } from "./ports.ts";

/** What an importer sees of its packages and its apps, as texts that differ when it would see something new. */
export interface DeviceView {
  readonly packages: string;
  readonly apps: string;
  readonly pairing: string;
}

/** Reads what a device's importer would see now (rule J6). */
export async function viewOf(context: Context, deviceId: string): Promise<DeviceView> {
  const packages = await context.packages.listImportable(deviceId, context.clock.provenNow());
  const pairings = await context.pairings.listPairings(deviceId);
  const request = await context.pairings.requests?.find(deviceId, context.clock.now());
  return {
    packages: JSON.stringify(packages.map(viewOfPackage)),
    apps: JSON.stringify(
      pairings.map(({ pairingId, appName, pairedAt }) => [pairingId, appName, pairedAt]),
    ),
    pairing: JSON.stringify([request?.requestId, request?.state]),
  };
}

/**
 * Without what each running download renews: the end of the lease, and the version while there is one. A report
 * ends the lease, so without one the version says whether there are new results, which can be large.
 */
function viewOfPackage({ packageId, life, version }: PackageRecord): unknown {
  const { lease } = life;
  return [packageId, { ...life, lease: lease?.runId }, lease === null ? version : null];
}
