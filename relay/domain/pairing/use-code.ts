import { CLAIM_REPEAT_SECONDS, MAX_TOKENS_PER_PAIRING } from "../../../core/limits.ts";
import { type Context, HOUR_MS } from "../context.ts";
import type { AppTokenRecord } from "../ports.ts";
import type { ParsedClaim } from "./pairing-consent.ts";
import { makeAppToken, makeId } from "./tokens.ts";
import { unpairBeyond } from "./unpair.ts";

const REPEAT_MS = CLAIM_REPEAT_SECONDS * 1000;

/** The result of a claim that pairs. */
export interface Claimed extends Pick<AppTokenRecord, "deviceName" | "deviceId" | "pairingId"> {
  readonly appToken: string;
}

/** Pairs with a valid code, or repeats an earlier claim of it; undefined if it is neither. */
export async function useCode(context: Context, claim: ParsedClaim): Promise<Claimed | undefined> {
  return (
    (await repeatClaim(context, claim)) ??
    (await claimCode(context, claim)) ??
    // The earlier call may have claimed the code only now.
    (await repeatClaim(context, claim))
  );
}

async function claimCode(
  context: Context,
  { codeHash, appId, appName, repeatable }: ParsedClaim,
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
    repeatable: repeatable && { ...repeatable, endsAt: now + REPEAT_MS },
  });
  if (pairing === undefined) return undefined;
  context.known.forget();
  await unpairBeyond(context, pairing);
  await context.notifier.notify(`device:${pairing.deviceId}`, {
    type: "code.used",
    app_name: pairing.appName,
  });
  await context.notifier.notify(`device:${pairing.deviceId}`, { type: "apps.changed" });
  return { ...pairing, appToken };
}

/** Replaces the token of an earlier claim with the same key; undefined if there is none. */
export async function repeatClaim(
  context: Context,
  { repeatable }: ParsedClaim,
): Promise<Claimed | undefined> {
  if (repeatable === undefined) return undefined;
  const appToken = makeAppToken(context.randomBytes);
  const tokenHash = context.digest.ofText(appToken);
  const now = context.clock.now();
  const repeat = { ...repeatable, tokenHash, now, latestEnd: now + REPEAT_MS };
  const pairing = await context.pairings.repeatClaim(repeat);
  if (pairing === undefined) return undefined;
  context.known.forget();
  await context.notifier.notify(`pairing:${pairing.pairingId}`, { type: "apps.changed" });
  return { ...pairing, appToken };
}
