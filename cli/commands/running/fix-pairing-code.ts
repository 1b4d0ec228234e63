import type { ImporterSettings } from "../../../addon/settings.ts";
import { openStoredSettings } from "../../../addon/state/stored-settings.ts";
import type { PairingCodeAnswer } from "../../../core/protocol/importer-api.ts";
import { timeText } from "../../../core/time.ts";
import type { Relay } from "../../../relay/build-relay.ts";
import { Failure } from "../../fail.ts";

/**
 * Replaces the importer's pairing code with a given one. Only `up` can, because it owns relay and importer.
 * @throws {Failure} if another importer at the relay is using the code
 */
export async function fixPairingCode(
  relay: Relay,
  { dataFolder, relayUrl }: ImporterSettings,
  code: string,
): Promise<PairingCodeAnswer> {
  const identity =
    relayUrl === null ? undefined : openStoredSettings(dataFolder).findIdentity(relayUrl);
  if (identity === undefined) throw new Failure("The importer is not registered with its relay.");
  const { pairings, clock, digest, policy } = relay.context;
  const now = clock.now();
  const expiresAt = now + policy.pairingCodeTtlMs;
  const codeHash = digest.ofText(code);
  const { deviceId } = identity;
  const isLive = await pairings.putCode({ deviceId, codeHash, expiresAt, now });
  if (!isLive) throw new Failure(`Another importer is using the code ${code} right now.`);
  return { code, expires_at: timeText(expiresAt), expires_in: policy.pairingCodeTtlMs / 1000 };
}
