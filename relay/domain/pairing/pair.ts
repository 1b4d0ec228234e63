import { MAX_TOKENS_PER_PAIRING } from "../../../core/limits.ts";
import { makePairingCode, parsePairingCode } from "../../../core/protocol/pairing-code.ts";
import { isClaimRequest } from "../../../core/protocol/schemas/validate.generated.js";
import { refusal } from "../../../core/protocol/refusal.ts";
import { cleanName } from "../../../core/text/clean-text.ts";
import { type Context, HOUR_MS } from "../context.ts";
import type { Permit } from "../admission/budgets.ts";
import { claimWithConsent, holdPlace, type ParsedClaim } from "./pairing-consent.ts";
import { type Claimant, countGuess, type Guess } from "./pairing-guesses.ts";
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

/** A call that claims a code. */
export interface ClaimCall {
  readonly claimant: Claimant;
  /** Reads the body. Called once the try is counted. */
  readonly read: () => Promise<unknown>;
  /** Aborts when nobody waits for the answer any more. */
  readonly stopped: AbortSignal;
}

/** The result of a claim that pairs. */
interface Claimed {
  readonly appToken: string;
  readonly deviceName: string;
  readonly deviceId: string;
  readonly pairingId: string;
}

/**
 * Exchanges a pairing code for an app token (rules P4–P6, P12). Every try but a right one counts.
 * @throws {Refusal} 503 CLAIMS_OFF, 429 TRIES_TOO_MANY, 429 TOO_MUCH_AT_ONCE, 400 CLAIM_INCOMPLETE, 404 CODE_UNKNOWN
 */
export async function claimPairing(context: Context, call: ClaimCall): Promise<Claimed> {
  context.operator.requireOn("claims");
  const guess = await countGuess(context, call.claimant);
  const claimed = guess.needsYes
    ? await claimWhereYesIsNeeded(context, call, guess)
    : await useCode(context, parseClaim(context, await call.read()));
  if (claimed === undefined) throw refusal("CODE_UNKNOWN");
  await guess.refund();
  return claimed;
}

async function claimWhereYesIsNeeded(
  context: Context,
  { claimant, read, stopped }: ClaimCall,
  guess: Guess,
): Promise<Claimed | undefined> {
  using _place = await placeFor(context, claimant, guess);
  const claim = parseClaim(context, await read());
  const pair = () => useCode(context, claim);
  // Awaited here: the place is held until then.
  return await claimWithConsent(context, claim, { claimant, stopped, pair });
}

/** Takes a place among the waiting claims. Without one the code isn't looked up, so the try is given back. */
async function placeFor(context: Context, { address }: Claimant, guess: Guess): Promise<Permit> {
  try {
    return holdPlace(context, address);
  } catch (error) {
    await guess.refund();
    throw error;
  }
}

/** Pairs with a valid code; undefined if it isn't one. */
async function useCode(
  context: Context,
  { codeHash, appId, appName }: ParsedClaim,
): Promise<Claimed | undefined> {
  if (codeHash === undefined) return undefined;
  const appToken = makeAppToken(context.randomBytes);
  const now = context.clock.now();
  const pairing = await context.pairings.claimCode({
    codeHash,
    now,
    latestEnd: now + context.policy.pairingCodeTtlMs + HOUR_MS,
    pairingId: makeId("pair", context.randomBytes),
    appId,
    appName,
    tokenHash: context.digest.ofText(appToken),
    maxTokens: MAX_TOKENS_PER_PAIRING,
  });
  if (pairing === undefined) return undefined;
  context.known.forget();
  await context.notifier.notify(`device:${pairing.deviceId}`, {
    type: "code.used",
    app_name: pairing.appName,
  });
  await context.notifier.notify(`device:${pairing.deviceId}`, { type: "apps.changed" });
  const { deviceName, deviceId, pairingId } = pairing;
  return { appToken, deviceName, deviceId, pairingId };
}

function parseClaim({ digest }: Context, body: unknown): ParsedClaim {
  if (!isClaimRequest(body)) {
    const isIdTooLong = isClaimRequest.errors?.[0]?.keyword === "maxLength";
    throw refusal(isIdTooLong ? "APP_ID_TOO_LONG" : "CLAIM_INCOMPLETE");
  }
  const { code, app_name: appName, app_id: appId } = body;
  const parsed = parsePairingCode(code);
  return {
    codeHash: parsed === undefined ? undefined : digest.ofText(parsed),
    appId,
    appName: cleanName(appName) || "App",
  };
}
