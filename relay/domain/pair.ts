import { MAX_TOKENS_PER_PAIRING } from "../../core/limits.ts";
import { makePairingCode, parsePairingCode } from "../../core/protocol/pairing-code.ts";
import type { ClaimRequest } from "../../core/protocol/public-api.ts";
import { isClaimRequest } from "../../core/protocol/schemas/validate.generated.js";
import { refusal } from "../../core/protocol/refusal.ts";
import { cleanName } from "../../core/text/clean-name.ts";
import { type Context, HOUR_MS } from "./context.ts";
import { enforceRateLimit } from "./rate-limit.ts";
import { makeAppToken, makeId } from "./tokens.ts";

/** Issues a new pairing code for a device and invalidates the previous one (rules P2, P3). */
export async function issuePairingCode(
  context: Context,
  deviceId: string,
): Promise<{ readonly code: string; readonly expiresAt: number }> {
  for (;;) {
    const code = makePairingCode(context.randomBytes);
    const now = context.clock.now();
    const expiresAt = now + context.policy.pairingCodeTtlMs;
    const codeHash = context.digest.ofText(code);
    if (await context.pairings.putCode({ deviceId, codeHash, expiresAt, now })) {
      return { code, expiresAt };
    }
  }
}

/** Ends a device's pairing code early; the device may have none (rule P2). */
export async function endPairingCode(context: Context, deviceId: string): Promise<void> {
  await context.pairings.removeCode(deviceId);
}

export interface ClaimedPairing {
  readonly appToken: string;
  readonly deviceName: string;
  readonly deviceId: string;
  readonly pairingId: string;
}

/**
 * Exchanges a pairing code for an app token (rules P4–P6). Every try counts, successful or not.
 * @throws {Refusal} 503 CLAIMS_OFF, 429 TRIES_TOO_MANY, 400 CLAIM_INCOMPLETE, 404 CODE_UNKNOWN
 */
export async function claimPairing(
  context: Context,
  address: string,
  readRequest: () => Promise<unknown>,
): Promise<ClaimedPairing> {
  context.operator.requireOn("claims");
  await enforceRateLimit(context, "pairing-tries", address);
  const { code, app_name: appName, app_id: appId } = parseClaim(await readRequest());
  const parsed = parsePairingCode(code);
  if (parsed === undefined) throw refusal("CODE_UNKNOWN");
  const appToken = makeAppToken(context.randomBytes);
  const now = context.clock.now();
  const pairing = await context.pairings.claimCode({
    codeHash: context.digest.ofText(parsed),
    now,
    latestEnd: now + context.policy.pairingCodeTtlMs + HOUR_MS,
    pairingId: makeId("pair", context.randomBytes),
    appId,
    appName: cleanName(appName) || "App",
    tokenHash: context.digest.ofText(appToken),
    maxTokens: MAX_TOKENS_PER_PAIRING,
  });
  if (pairing === undefined) throw refusal("CODE_UNKNOWN");
  context.known.forget();
  await context.notifier.notify(`device:${pairing.deviceId}`, {
    type: "code.used",
    app_name: pairing.appName,
  });
  await context.notifier.notify(`device:${pairing.deviceId}`, { type: "apps.changed" });
  const { deviceName, deviceId, pairingId } = pairing;
  return { appToken, deviceName, deviceId, pairingId };
}

function parseClaim(body: unknown): ClaimRequest {
  if (isClaimRequest(body)) return body;
  const isIdTooLong = isClaimRequest.errors?.[0]?.keyword === "maxLength";
  throw refusal(isIdTooLong ? "APP_ID_TOO_LONG" : "CLAIM_INCOMPLETE");
}
