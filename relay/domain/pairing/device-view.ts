import type { Context } from "../context.ts";
import type { PackageHead } from "../ports.ts";

/** What an importer sees of its packages and its apps, as texts that differ when it would see something new. */
export interface DeviceView {
  readonly packages: string;
  readonly apps: string;
  readonly pairing: string;
}

/** How many packages are looked at in one step. */
const STEP = 500;

/** Reads what a device's importer would see now (rule J6). */
export async function viewOf(context: Context, deviceId: string): Promise<DeviceView> {
  const pairings = await context.pairings.listPairings(deviceId);
  const request = await context.pairings.requests?.find(deviceId, context.clock.now());
  return {
    packages: await digestOfPackages(context, deviceId),
    apps: JSON.stringify(
      pairings.map(({ pairingId, appName, pairedAt }) => [pairingId, appName, pairedAt]),
    ),
    pairing: JSON.stringify([request?.requestId, request?.state]),
  };
}

/** Short, because every socket keeps one. Reads no manifest and no results, which can be large. */
async function digestOfPackages(context: Context, deviceId: string): Promise<string> {
  const now = context.clock.provenNow();
  let seen = "";
  let after: string | undefined;
  do {
    const heads = await context.packages.listImportable(deviceId, now, { after, limit: STEP });
    if (heads === undefined) throw new Error("The store doesn't know its own cursor.");
    seen = context.digest.ofText(seen + JSON.stringify(heads.map(viewOfPackage)));
    after = heads.length < STEP ? undefined : heads.at(-1)?.cursor;
  } while (after !== undefined);
  return seen;
}

/**
 * Without what each running download renews: the end of the lease, and the version while there is one. A report
 * ends the lease, so without one the version says whether there are new results.
 */
function viewOfPackage({ packageId, life, version }: PackageHead): unknown {
  const { lease } = life;
  return [packageId, { ...life, lease: lease?.runId }, lease === null ? version : null];
}
