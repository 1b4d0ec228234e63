import type { ImporterSettings } from "../../addon/settings.ts";
import { openStoredSettings } from "../../addon/state/stored-settings.ts";
import type { PairingCodeAnswer } from "../../core/protocol/importer-api.ts";
import { timeText } from "../../core/time.ts";
import type { Relay } from "../../relay/build-relay.ts";
import { Failure } from "../fail.ts";

/**
 * Makes a given code the live one of this process's importer at this process's relay, in place of a
 * random one. Only `up` can do that: it owns both.
 * @throws {Failure} when another importer at the relay has the code
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
  const isLive = await pairings.putCode({
    deviceId: identity.deviceId,
    codeHash,
    expiresAt,
    now,
  });
  if (!isLive) throw new Failure(`Another importer is using the code ${code} right now.`);
  return { code, expires_at: timeText(expiresAt), expires_in: policy.pairingCodeTtlMs / 1000 };
}
