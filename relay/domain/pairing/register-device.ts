import { isJsonObject } from "../../../core/text/json-object.ts";
import { isDeviceName } from "../../../core/protocol/schemas/validate.generated.js";
import { refusal } from "../../../core/protocol/refusal.ts";
import { cleanTitle } from "../../../core/text/clean-text.ts";
import type { Context } from "../context.ts";
import { countRegistrationTry, payRegistration } from "./registration-price.ts";
import { makeId, makeImporterToken } from "./tokens.ts";

const DEFAULT_NAME = "Computer";

/**
 * Registers a computer with its importer (rules P1, P6, L4, AD9). Every try counts, successful or not. Reads the
 * body only after authorization, so that strangers can't fill the memory.
 * @throws {Refusal} 503 REGISTRATIONS_OFF, 429 TRIES_TOO_MANY or REGISTRATIONS_TOO_MANY, 403 REGISTRATION_KEY_WRONG, 422 DEVICE_NAME_WRONG
 */
export async function registerDevice(
  context: Context,
  request: {
    readonly read: () => Promise<unknown>;
    readonly key: string | undefined;
    readonly address: string;
  },
): Promise<{ readonly deviceId: string; readonly importerToken: string }> {
  context.operator.requireOn("registrations");
  await countRegistrationTry(context, request.address);
  const { registrationKey } = context.policy;
  if (registrationKey !== undefined && !sameSecret(context, request.key, registrationKey)) {
    throw refusal("REGISTRATION_KEY_WRONG");
  }
  const body = await request.read();
  const deviceName = parseDeviceName(isJsonObject(body) ? body["device_name"] : undefined);
  const now = context.clock.now();
  const deviceId = makeId("dev", context.randomBytes);
  const importerToken = makeImporterToken(context.randomBytes);
  // Who has the operator's key is no stranger.
  const paid =
    registrationKey === undefined ? await payRegistration(context, request.address) : undefined;
  try {
    const device = { deviceId, deviceName, registeredAt: now, lastSeenAt: now };
    await context.pairings.insertDevice(device, context.digest.ofText(importerToken));
  } catch (error) {
    await paid?.giveBack();
    throw error;
  }
  return { deviceId, importerToken };
}

/** Cleans the name like a title. Returns `Computer` if the name is missing or nothing is left of it. */
export function parseDeviceName(name: unknown): string {
  if (name === undefined) return DEFAULT_NAME;
  if (!isDeviceName(name)) throw refusal("DEVICE_NAME_WRONG");
  return cleanTitle(name) || DEFAULT_NAME;
}

/** Constant-time comparison: compares digests, so that timing reveals nothing about the secret. */
function sameSecret({ digest }: Context, given: string | undefined, wanted: string): boolean {
  return given !== undefined && digest.ofText(given) === digest.ofText(wanted);
}
