import { RelayError } from "../../../core/importer/relay-errors.ts";
import { RelayIdentity } from "../../../addon/relay/relay-identity.ts";
import type { IdentityStore } from "../../../addon/state/stored-settings.ts";

/** A relay's own 401. */
export const REFUSAL = new RelayError(401, "Unknown.", { code: "IMPORTER_UNKNOWN" });

/**
 * Returns an identity at a relay that gives a new token with each registration.
 * @param relay its answer to `hello`
 */
export function identityAt(
  relayUrl: string,
  store: IdentityStore,
  relay: { instance?: string | undefined } = {},
  now = () => 0,
) {
  const seen = { registrations: 0, hellos: 0 };
  const identity = new RelayIdentity({
    relayUrl,
    store,
    deviceName: "Studio",
    hello: async () => {
      seen.hellos += 1;
      return relay;
    },
    register: async () => {
      seen.registrations += 1;
      return {
        deviceId: `dev_${relayUrl}`,
        importerToken: `sfi_${relayUrl}_${relay.instance ?? ""}${seen.registrations}`,
      };
    },
    onChange: () => {},
    now,
  });
  return { identity, seen };
}

export async function tokenOf(identity: RelayIdentity): Promise<string> {
  return (await identity.credential()).token;
}
