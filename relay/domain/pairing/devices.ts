import type { Context } from "../context.ts";
import { deleteDoomed } from "../upkeep/doomed-sounds.ts";
import { erasingQuarantined } from "../upkeep/quarantine.ts";
import { parseDeviceName } from "./register-device.ts";

/** Renames a computer (rule P8). @throws {Refusal} 422 DEVICE_NAME_WRONG */
export async function renameDevice(
  context: Context,
  deviceId: string,
  name: unknown,
): Promise<string> {
  const deviceName = parseDeviceName(name);
  await context.pairings.renameDevice(deviceId, deviceName);
  context.known.forget();
  return deviceName;
}

/** Forgets a computer: its tokens, pairings and packages, at once (rule P8). */
export async function removeDevice(context: Context, deviceId: string): Promise<void> {
  const pairings = await context.pairings.listPairings(deviceId);
  const { doomed } = await erasingQuarantined(context, () =>
    context.pairings.removeDevice(deviceId),
  );
  context.known.forget();
  for (const { pairingId } of pairings) {
    await context.notifier.notify(`pairing:${pairingId}`, { type: "apps.changed" });
  }
  await context.notifier.notify(`device:${deviceId}`, { type: "apps.changed" });
  await deleteDoomed(context, doomed);
}
