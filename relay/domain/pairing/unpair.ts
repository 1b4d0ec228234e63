import { MAX_APPS_PER_DEVICE } from "../../../core/quotas/budgets.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { type Context, HOUR_MS } from "../context.ts";
import { deleteUnused } from "../upkeep/doomed-sounds.ts";
import type { KnownApp } from "./known-tokens.ts";
import type { ListedPairing, PairingRecord, PairingToEnd, Unpaired, Unpairing } from "../ports.ts";

/**
 * Revokes the token an app called with. Revoking the last one unpairs the app and drops its unfinished
 * uploads; its committed packages stay importable (rules P5, A3).
 */
export async function unpairToken(context: Context, app: KnownApp): Promise<void> {
  const unpaired = await unpair(context, { tokenHash: app.tokenHash });
  await finishUnpairing(context, app, unpaired?.doomed ?? []);
}

/**
 * Unpairs an app at its user's request: revokes all its tokens, and drops its unfinished uploads and its waiting packages,
 * but for those that a run holds (rules P5, P7, A3).
 * @throws {Refusal} 404 PAIRING_UNKNOWN
 */
export async function unpairApp(
  context: Context,
  deviceId: string,
  pairingId: string,
): Promise<void> {
  const unpaired = await unpair(context, { deviceId, pairingId });
  if (unpaired === undefined) throw refusal("PAIRING_UNKNOWN");
  await context.notifier.notify(`device:${deviceId}`, { type: "packages.changed" });
  await finishUnpairing(context, { deviceId, pairingId }, unpaired.doomed);
}

/** Unpairs the apps of a computer that called longest ago, beyond the number that it may have (rule P5). */
export async function unpairBeyond(
  context: Context,
  { deviceId, pairingId: newest }: Pick<PairingRecord, "pairingId" | "deviceId">,
): Promise<void> {
  const apps = await listApps(context, deviceId);
  if (apps.length <= MAX_APPS_PER_DEVICE) return;
  const others = apps.filter(({ pairingId }) => pairingId !== newest);
  const byCall = others.toSorted((one, other) => other.lastSeenAt - one.lastSeenAt);
  for (const { pairingId } of byCall.slice(MAX_APPS_PER_DEVICE - 1)) {
    await unpairUnasked(context, { deviceId, pairingId });
  }
}

/** Time by which another relay's note of when an app was seen may be late. */
const LATE_NOTE_MS = HOUR_MS;
const BATCH = 100;

/**
 * Unpairs the apps that were not seen for as long as the policy says (rule SEC6).
 * @param onEnded called for each
 */
export async function unpairUnseen(
  context: Context,
  onEnded: (ended: PairingRecord) => void,
): Promise<void> {
  const { clock, pairings, policy } = context;
  if (policy.tokenIdleMs === undefined) return;
  await noteSeen(context);
  const unseenSince = clock.confirmedNow() - policy.tokenIdleMs - LATE_NOTE_MS;
  for (;;) {
    const unseen = await pairings.listUnseen(unseenSince, BATCH);
    for (const { deviceId, pairingId } of unseen) {
      const ended = await unpairUnasked(context, { deviceId, pairingId, unseenSince });
      if (ended !== undefined) onEnded(ended);
    }
    if (unseen.length < BATCH) return;
  }
}

/**
 * Unpairs an app although its person didn't ask for it: what waits stays (rule A3). Returns undefined if it is paired no
 * longer, or was seen since.
 */
async function unpairUnasked(
  context: Context,
  what: Omit<PairingToEnd, "keepsWaiting">,
): Promise<PairingRecord | undefined> {
  const unpaired = await unpair(context, { ...what, keepsWaiting: true });
  if (unpaired?.ended === undefined) return undefined;
  await finishUnpairing(context, unpaired.ended, unpaired.doomed);
  return unpaired.ended;
}

function unpair(context: Context, what: Unpairing): Promise<Unpaired | undefined> {
  const now = context.clock.confirmedNow();
  return context.pairings.unpair(what, now);
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
  { pairings, known }: Context,
  deviceId: string,
): Promise<readonly ListedPairing[]> {
  const seen = known.seen().pairings;
  const stored = await pairings.listPairings(deviceId);
  return stored.map((pairing) => lastSeen(pairing, seen.get(pairing.pairingId)));
}

function lastSeen(pairing: ListedPairing, at = 0): ListedPairing {
  return { ...pairing, lastSeenAt: Math.max(pairing.lastSeenAt, at) };
}

/** Writes the last-seen times that are not stored yet. */
export async function noteSeen({ pairings, known }: Context): Promise<void> {
  const seen = known.seen();
  if (seen.devices.size + seen.pairings.size === 0) return;
  await pairings.noteSeen(seen);
  known.forgetSeen(seen);
}
