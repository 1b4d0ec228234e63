import { isJsonObject } from "../../../core/text/json-object.ts";
import { isDeviceName } from "../../../core/protocol/schemas/validate.generated.js";
import {
  judgeRegistrationKey,
  type KeyRefusal,
} from "../../../core/quotas/judge-registration-key.ts";
import type { RefusalCode } from "../../../core/protocol/refusals.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { cleanTitle } from "../../../core/text/clean-text.ts";
import type { Context } from "../context.ts";
import { countRegistrationTry, payRegistration } from "../admission/prices.ts";
import { makeId, makeImporterToken } from "./tokens.ts";
import { deleteUnused } from "../upkeep/doomed-sounds.ts";
import type { KeyUse, PackageHead } from "../ports.ts";

const DEFAULT_NAME = "Computer";

/**
 * Registers a computer with its importer (rules P1, P6, L4, AD9). Every try counts, successful or not. Reads the
 * body only after authorization, so that strangers can't fill the memory.
 * @throws {Refusal} 503 REGISTRATIONS_OFF, 429 TRIES_TOO_MANY or REGISTRATIONS_TOO_MANY, 403 as `admitKey`, 422 DEVICE_NAME_WRONG
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
  const key = await admitKey(context, request.key);
  const body = await request.read();
  const deviceName = parseDeviceName(isJsonObject(body) ? body["device_name"] : undefined);
  const now = context.clock.now();
  const deviceId = makeId("dev", context.randomBytes);
  const importerToken = makeImporterToken(context.randomBytes);
  // Registrations with the operator's key are free.
  const refund = key === undefined ? await payRegistration(context, request.address) : undefined;
  try {
    const device = { deviceId, deviceName, registeredAt: now, lastSeenAt: now };
    const tokenHash = context.digest.ofText(importerToken);
    const refused = await context.pairings.insertDevice(device, tokenHash, key);
    if (refused !== undefined) throw refusal(KEY_CODES[refused]);
  } catch (error) {
    await refund?.();
    throw error;
  }
  return { deviceId, importerToken };
}

/** The name of the settings' key. */
const SETTING_KEY = "setting";
const KEY_CODES = {
  removed: "REGISTRATION_KEY_REMOVED",
  ended: "REGISTRATION_KEY_ENDED",
  "used-up": "REGISTRATION_KEY_USED_UP",
} as const satisfies Record<KeyRefusal, RefusalCode>;

/**
 * Returns the key that an importer registers with (rule AD13); undefined where none is needed. Keys are looked up by
 * their digests, so that timing reveals nothing about them.
 * @throws {Refusal} 403 REGISTRATION_KEY_WRONG, REGISTRATION_KEY_ENDED, REGISTRATION_KEY_USED_UP or REGISTRATION_KEY_REMOVED
 */
async function admitKey(context: Context, given: string | undefined): Promise<KeyUse | undefined> {
  const { registersByKey, registrationKey } = context.policy;
  if (!registersByKey) return undefined;
  const now = context.clock.confirmedNow();
  if (registrationKey !== undefined && sameSecret(context, given, registrationKey)) {
    return { name: SETTING_KEY, keyHash: undefined, now };
  }
  const keyHash = context.digest.ofText(given ?? "");
  const key = await context.operatorRecords?.findKey(keyHash);
  if (key === undefined) throw refusal("REGISTRATION_KEY_WRONG");
  const refused = judgeRegistrationKey(key, now);
  if (refused !== undefined) throw refusal(KEY_CODES[refused]);
  return { name: key.name, keyHash, now };
}

/** Cleans the name like a title. Returns `Computer` if the name is missing or nothing is left of it. */
function parseDeviceName(name: unknown): string {
  if (name === undefined) return DEFAULT_NAME;
  if (!isDeviceName(name)) throw refusal("DEVICE_NAME_WRONG");
  return cleanTitle(name) || DEFAULT_NAME;
}

/** Compares secrets by their digests, so that timing reveals nothing about them (constant-time comparison). */
function sameSecret({ digest }: Context, given: string | undefined, wanted: string): boolean {
  return given !== undefined && digest.ofText(given) === digest.ofText(wanted);
}

/** Renames a computer (rule P8). @throws {Refusal} 422 DEVICE_NAME_WRONG */
export async function renameDevice(
  context: Context,
  deviceId: string,
  name: unknown,
): Promise<string> {
  const deviceName = parseDeviceName(name);
  await context.pairings.changeDevice(deviceId, { deviceName });
  context.known.forget();
  return deviceName;
}

/** Forgets a computer: its tokens, pairings and packages, at once (rule P8). */
export async function removeDevice(context: Context, deviceId: string): Promise<void> {
  const pairings = await context.pairings.listPairings(deviceId);
  const { doomed } = await context.pairings.removeDevice(deviceId);
  context.known.forget();
  for (const { pairingId } of pairings) {
    await context.notifier.notify(`pairing:${pairingId}`, { type: "apps.changed" });
  }
  await context.notifier.notify(`device:${deviceId}`, { type: "apps.changed" });
  await deleteUnused(context, doomed);
}

/** An importer's view of its packages and apps, as texts that differ when it would see something new. */
export interface DeviceView {
  readonly packages: string;
  readonly apps: string;
  readonly pairing: string;
}

/** Number of packages that are read in one step. */
const STEP = 500;

/** Reads what a device's importer would see now (rule J6). */
export async function viewOf(context: Context, deviceId: string): Promise<DeviceView> {
  const pairings = await context.pairings.listPairings(deviceId);
  const request = await context.pairings.findRequest(deviceId, context.clock.now());
  return {
    packages: await digestOfPackages(context, deviceId),
    apps: JSON.stringify(
      pairings.map(({ pairingId, appName, pairedAt }) => [pairingId, appName, pairedAt]),
    ),
    pairing: JSON.stringify([request?.requestId, request?.state]),
  };
}

/**
 * Returns a digest, which is short because every socket keeps one. Reads no manifest and no results, which can be
 * large.
 */
async function digestOfPackages(context: Context, deviceId: string): Promise<string> {
  const now = context.clock.confirmedNow();
  let seen = "";
  let after: string | undefined;
  do {
    const heads = await context.packages.list({ deviceId, now }, { after, limit: STEP });
    if (heads === undefined) throw new Error("The store doesn't know its own cursor.");
    seen = context.digest.ofText(seen + JSON.stringify(heads.map(viewOfPackage)));
    after = heads.length < STEP ? undefined : heads.at(-1)?.cursor;
  } while (after !== undefined);
  return seen;
}

/**
 * Returns the visible state of a package. It leaves out the end of the lease and, during a lease, the version: each
 * running download renews them. A report ends the lease, so the version then shows new results.
 */
function viewOfPackage({ packageId, life, version }: PackageHead): unknown {
  const { lease } = life;
  return [packageId, { ...life, lease: lease?.runId }, lease === null ? version : null];
}
