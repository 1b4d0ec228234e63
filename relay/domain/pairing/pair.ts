import { makePairingCode, parsePairingCode } from "../../../core/protocol/pairing-code.ts";
import { isClaimRequest } from "../../../core/protocol/schemas/validate.generated.js";
import { refusal } from "../../../core/protocol/refusal.ts";
import { tiersOf } from "../../../core/quotas/address-tiers.ts";
import { cleanName } from "../../../core/text/clean-text.ts";
import type { Context } from "../context.ts";
import { requireIdempotencyKey } from "../idempotency-key.ts";
import type { Permit } from "../admission/budgets.ts";
import { claimWithConsent, holdPlace, type ParsedClaim } from "./pairing-consent.ts";
import { type Claimant, countGuess, type Guess } from "./pairing-guesses.ts";
import { type Claimed, repeatClaim, useCode } from "./use-code.ts";

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
    if (await context.pairings.setCode(deviceId, { codeHash, expiresAt, now })) {
      return { code, expiresAt };
    }
  }
}

/** Ends a device's pairing code early; the device may have none (rule P2). */
export async function endPairingCode(context: Context, deviceId: string): Promise<void> {
  await context.pairings.setCode(deviceId, null);
}

/** A call that claims a code. */
export interface ClaimCall {
  readonly claimant: Claimant;
  /** Reads the body. Called once the try is counted. */
  readonly read: () => Promise<unknown>;
  /** The app's `Idempotency-Key`, with which it can repeat the call. */
  readonly key: string | undefined;
  /** Aborts when nobody waits for the answer any more. */
  readonly stopped: AbortSignal;
}

/**
 * Exchanges a pairing code for an app token (rules P4–P6, P12). Every try but a right one counts. A claim whose
 * answer was lost is repeated with its key (rule P13).
 * @throws {Refusal} 503 CLAIMS_OFF, 429 TRIES_TOO_MANY, 429 TOO_MUCH_AT_ONCE, 400 CLAIM_INCOMPLETE,
 * 422 IDEMPOTENCY_KEY_WRONG, 404 CODE_UNKNOWN
 */
export async function claimPairing(context: Context, call: ClaimCall): Promise<Claimed> {
  context.operator.requireOn("claims");
  const guess = await countGuess(context, call.claimant);
  const claimed = guess.needsYes
    ? await claimWhereYesIsNeeded(context, call, guess)
    : await useCode(context, await readClaim(context, call));
  if (claimed === undefined) throw refusal("CODE_UNKNOWN");
  await guess.refund();
  return claimed;
}

async function claimWhereYesIsNeeded(
  context: Context,
  call: ClaimCall,
  guess: Guess,
): Promise<Claimed | undefined> {
  const { claimant, stopped } = call;
  using _place = await placeFor(context, claimant, guess);
  const claim = await readClaim(context, call);
  const repeat = () => repeatClaim(context, claim);
  const pair = () => useCode(context, claim);
  // Awaited here: the place is held until then.
  return await claimWithConsent(context, claim, { claimant, stopped, repeat, pair });
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

async function readClaim(
  { clock, digest }: Context,
  { read, key, claimant }: ClaimCall,
): Promise<ParsedClaim> {
  const body = await read();
  if (!isClaimRequest(body)) {
    const isIdTooLong = isClaimRequest.errors?.[0]?.keyword === "maxLength";
    throw refusal(isIdTooLong ? "APP_ID_TOO_LONG" : "CLAIM_INCOMPLETE");
  }
  if (key !== undefined) requireIdempotencyKey(key);
  const code = parsePairingCode(body.code);
  const appId = body.app_id;
  const appName = cleanName(body.app_name) || "App";
  if (code === undefined) return { codeHash: undefined, appId, appName, repeatable: undefined };
  // One hash, so that a claim that differs in any way finds nothing.
  const { address } = tiersOf(claimant.address);
  const repeatHash = digest.ofText(JSON.stringify([key, code, appId, appName, address]));
  return {
    codeHash: digest.ofText(code),
    appId,
    appName,
    repeatable: key === undefined ? undefined : { repeatHash, arrivedAt: clock.now() },
  };
}
