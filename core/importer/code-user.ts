import type { PairedApp, PairingCodeAnswer } from "../protocol/importer-api.ts";
import type { Pairing } from "../panel/panel-pairing.ts";

/** Returns the app of a name that paired last. */
export function lastPaired(apps: readonly PairedApp[], appName: string): Pairing["usedBy"] {
  return latestOf(apps.filter(({ app_name }) => app_name === appName));
}

/**
 * Returns the app that used a code while no notification could arrive: it paired since the code was made.
 * @param before the list of apps when it was last read
 */
export function unannouncedUser(
  code: PairingCodeAnswer,
  before: readonly PairedApp[],
  apps: readonly PairedApp[],
): Pairing["usedBy"] {
  // All these times are on the relay's clock.
  const madeAtMs = Date.parse(code.expires_at) - code.expires_in * 1000;
  const known = new Map(before.map(({ pairing_id, paired_at }) => [pairing_id, paired_at]));
  return latestOf(
    apps.filter(
      ({ pairing_id, paired_at }) =>
        known.get(pairing_id) !== paired_at && Date.parse(paired_at) >= madeAtMs,
    ),
  );
}

function latestOf(apps: readonly PairedApp[]): Pairing["usedBy"] {
  const [app] = apps.toSorted(
    (one, other) => Date.parse(other.paired_at) - Date.parse(one.paired_at),
  );
  return app === undefined ? null : { name: app.app_name, pairingId: app.pairing_id };
}
