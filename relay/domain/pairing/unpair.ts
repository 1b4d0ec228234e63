import { refusal } from "../../../core/protocol/refusal.ts";
import type { Context } from "../context.ts";
import { deleteUnused } from "../upkeep/doomed-sounds.ts";
import { erasingQuarantined } from "../upkeep/quarantine.ts";
import type { KnownApp } from "./known-tokens.ts";
import type { PairingRecord, Unpaired, Unpairing } from "../ports.ts";

/**
 * Revokes the token an app called with. Revoking the last one unpairs the app and drops its unfinished
 * uploads; its committed packages stay importable (rules P5, A3).
 */
export async function unpairToken(context: Context, app: KnownApp): Promise<void> {
  const unpaired = await unpair(context, { tokenHash: app.tokenHash });
  await finishUnpairing(context, app, unpaired?.doomed ?? []);
}

/**
 * Unpairs an app at its user's request: revokes all its tokens and drops its unfinished uploads (rules P5,
 * P7, A3).
 * @throws {Refusal} 404 PAIRING_UNKNOWN
 */
export async function unpairApp(
  context: Context,
  deviceId: string,
  pairingId: string,
): Promise<void> {
  const unpaired = await unpair(context, { deviceId, pairingId });
  if (unpaired === undefined) throw refusal("PAIRING_UNKNOWN");
  await finishUnpairing(context, { deviceId, pairingId }, unpaired.doomed);
}

function unpair(context: Context, what: Unpairing): Promise<Unpaired | undefined> {
  const now = context.clock.confirmedNow();
  return erasingQuarantined(context, () => context.pairings.unpair(what, now));
}

/** A call that waits for a dropped package listens to its pairing too, and then finds the token revoked. */
async function finishUnpairing(
  context: Context,
  { pairingId, deviceId }: Pick<PairingRecord, "pairingId" | "deviceId">,
  doomed: readonly string[],
): Promise<void> {
  context.known.forget();
  await context.notifier.notify(`pairing:${pairingId}`, { type: "apps.changed" });
  await context.notifier.notify(`device:${deviceId}`, { type: "apps.changed" });
  await deleteUnused(context, doomed);
}

/** The apps paired with a device and when each was last seen. */
export async function listApps(
  context: Context,
  deviceId: string,
): Promise<readonly PairingRecord[]> {
  await noteSeen(context);
  return context.pairings.listPairings(deviceId);
}

/** Writes the last-seen times collected since the last call. */
export async function noteSeen(context: Context): Promise<void> {
  const seen = context.known.takeSeen();
  if (seen.devices.size + seen.pairings.size > 0) await context.pairings.noteSeen(seen);
}
