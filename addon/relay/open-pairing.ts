import { PairingCodes, type PairingCodesDeps } from "./pairing-codes.ts";
import { PairingRequestSync, type PairingRequestSyncDeps } from "./pairing-request-sync.ts";

type PairingDeps = Omit<PairingCodesDeps, "change"> & Omit<PairingRequestSyncDeps, "codes">;

/** The codes of one relay, and the app that waits for a yes there. */
export function openPairing({ store, client, onTrouble, ...deps }: PairingDeps): {
  readonly codes: PairingCodes;
  readonly request: PairingRequestSync;
} {
  const change: PairingCodesDeps["change"] = (changed) => store()?.changePairing(changed);
  const codes = new PairingCodes({ ...deps, client, change });
  const { timers } = deps;
  return { codes, request: new PairingRequestSync({ store, client, codes, onTrouble, timers }) };
}
