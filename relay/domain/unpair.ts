import { refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "./context.ts";
import type { KnownApp } from "./known-tokens.ts";
import type { Owner, PairingRecord } from "./ports.ts";
import { dropPackage } from "./drop-package.ts";

/** Revokes the token an app called with. Revoking the last one unpairs the app (rules P5, A3). */
export async function unpairToken(context: Context, app: KnownApp): Promise<void> {
  const { wasLast } = await context.pairings.removeAppToken(app.tokenHash);
  context.known.forget();
  await context.notifier.notify(`pairing:${app.pairingId}`, { type: "apps.changed" });
  if (wasLast) await dropUploading(context, app);
  await context.notifier.notify(`device:${app.deviceId}`, { type: "apps.changed" });
}

/**
 * Unpairs an app at its user's request: revokes all its tokens (rules P5, P7).
 * @throws {Refusal} 404 PAIRING_UNKNOWN
 */
export async function unpairApp(
  context: Context,
  deviceId: string,
  pairingId: string,
): Promise<void> {
  const pairing = await context.pairings.removePairing(deviceId, pairingId);
  if (pairing === undefined) throw refusal("PAIRING_UNKNOWN");
  context.known.forget();
  await context.notifier.notify(`pairing:${pairingId}`, { type: "apps.changed" });
  await dropUploading(context, pairing);
  await context.notifier.notify(`device:${deviceId}`, { type: "apps.changed" });
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

/** Drops the unpaired app's unfinished uploads; its committed packages stay importable (rule A3). */
async function dropUploading(context: Context, owner: Owner): Promise<void> {
  for (const record of await context.packages.listUploading(owner, context.clock.now())) {
    await dropPackage(context, record);
  }
}
