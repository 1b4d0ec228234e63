import { CONSENT_SECONDS } from "../../../core/limits.ts";
import type { PairingRequestAnswer } from "../../../core/protocol/importer-api.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import { tiersOf } from "../../../core/quotas/address-tiers.ts";
import { isJsonObject } from "../../../core/text/json-object.ts";
import { secondsUntil, timeText } from "../../../core/time.ts";
import type { Permit } from "../admission/budgets.ts";
import { strangerAt } from "../caller.ts";
import { type Context, HOUR_MS } from "../context.ts";
import type { PairingAsk, PairingAsked, PairingRequest, RepeatableClaim } from "../ports.ts";
import { Wait } from "../wait.ts";
import { type Claimant, networkOf } from "./pairing-guesses.ts";
import { makeId } from "./tokens.ts";

// Claims of a right code that pair only after a yes in the panel (rule P12).

/** A claim whose form is right. */
export interface ParsedClaim {
  /** SHA-256 of the code; undefined if the text can't be a code. */
  readonly codeHash: string | undefined;
  readonly appId: string;
  readonly appName: string;
  /** undefined if the app gave no key to repeat it with. */
  readonly repeatable: RepeatableClaim | undefined;
}

/** Takes a place among the waiting claims. @throws {Refusal} 429 TOO_MUCH_AT_ONCE */
export function holdPlace({ admission }: Context, address: string): Permit {
  try {
    return admission.take("claims", strangerAt(address));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw refusal("TOO_MUCH_AT_ONCE", { seconds: 2 }, { retryAfterSeconds: 2 });
  }
}

/**
 * Waits until a person allows the claim in the panel, and then pairs it with `pair`. A claim that has paired already
 * needs no yes to be repeated (rule P13).
 * @returns the result of `pair` or `repeat`; undefined for a wrong code, a no, and no answer, each exactly when the wait is over
 * @throws {Refusal} 503 STOPPING when `stopped` aborts
 */
export async function claimWithConsent<Paired>(
  context: Context,
  { codeHash, appId, appName }: ParsedClaim,
  {
    claimant,
    stopped,
    repeat,
    pair,
  }: {
    readonly claimant: Claimant;
    readonly stopped: AbortSignal;
    readonly repeat: () => Promise<Paired | undefined>;
    readonly pair: () => Promise<Paired | undefined>;
  },
): Promise<Paired | undefined> {
  using wait = new Wait(context.policy.consentWaitMs, stopped);
  const requestId = makeId("req", context.randomBytes);
  const { address } = tiersOf(claimant.address);
  const asker = { requestId, appId, appName, address, network: networkOf(claimant) };
  let stopListening: (() => void) | undefined;
  try {
    for (;;) {
      const repeated = await repeat();
      if (repeated !== undefined) return repeated;
      const asked = codeHash === undefined ? undefined : await ask(context, { codeHash, ...asker });
      if (asked?.outcome === "allowed") {
        const paired = await pair();
        if (paired !== undefined) return paired;
      }
      if (asked !== undefined && stopListening === undefined) {
        stopListening = context.notifier.listen(`device:${asked.deviceId}`, wait.lookAgain);
        // Asks once more: an answer may have come before the listener was there.
        continue;
      }
      await wait.sleep(context.policy.lookAgainMs);
      if (stopped.aborted) throw refusal("STOPPING", { seconds: 2 }, { retryAfterSeconds: 2 });
      if (wait.isOver) return undefined;
    }
  } finally {
    stopListening?.();
  }
}

async function ask(context: Context, asker: Omit<PairingAsk, "now" | "latestEnd">) {
  const { pairings, clock, policy, notifier } = context;
  const now = clock.now();
  const latestEnd = now + policy.pairingCodeTtlMs + HOUR_MS;
  const asked = await pairings.askToPair({ ...asker, now, latestEnd });
  if (asked?.outcome === "asked" || asked?.outcome === "disputed") {
    await notifier.notify(`device:${asked.deviceId}`, { type: "pairing.asked" });
  }
  return asked;
}

/**
 * Judges a claim of a right code that needs a yes (rule P12).
 * @param request the code's request, if it has one
 */
export function judgeAsk(
  request: Pick<PairingRequest, "appId" | "address" | "state" | "allowedAt"> | undefined,
  { appId, address, now }: Pick<PairingAsk, "appId" | "address" | "now">,
): PairingAsked["outcome"] {
  if (request === undefined) return "asked";
  if (request.address !== address) return "disputed";
  if (request.appId !== appId) return "other-app";
  if (request.state !== "allowed") return "waiting";
  return isFresh(request.allowedAt, now) ? "allowed" : "asked";
}

/** Returns false also after a clock was set back by more than `CONSENT_SECONDS`. */
function isFresh(allowedAt: number | null, now: number): boolean {
  return allowedAt !== null && Math.abs(now - allowedAt) < CONSENT_SECONDS * 1000;
}

/** Returns the request that a device's importer shows to its user, if there is one. */
export async function readPairingRequest(
  { pairings, clock }: Context,
  deviceId: string,
): Promise<PairingRequestAnswer> {
  const now = clock.now();
  const found = await pairings.findRequest(deviceId, now);
  if (found?.state === "disputed") return { request: null, ended: "second-address" };
  if (found?.state !== "asked") return { request: null };
  const { requestId, appName, network, expiresAt } = found;
  return {
    request: {
      request_id: requestId,
      app_name: appName,
      network,
      expires_at: timeText(expiresAt),
      expires_in: secondsUntil(expiresAt, now),
    },
  };
}

/**
 * Stores the user's yes or no, and notifies the waiting claims in every process.
 * @throws {Refusal} 422 PAIRING_ANSWER_WRONG, 404 PAIRING_REQUEST_OVER
 */
export async function answerPairingRequest(
  { pairings, clock, notifier }: Context,
  deviceId: string,
  reply: unknown,
): Promise<void> {
  const { request_id: requestId, answer } = isJsonObject(reply) ? reply : {};
  if (answer !== "allow" && answer !== "deny") throw refusal("PAIRING_ANSWER_WRONG");
  if (typeof requestId !== "string") throw refusal("PAIRING_REQUEST_OVER");
  const isAllowed = answer === "allow";
  const now = clock.now();
  const isAnswered = await pairings.answerRequest({ deviceId, requestId, isAllowed, now });
  if (!isAnswered) throw refusal("PAIRING_REQUEST_OVER");
  await notifier.notify(`device:${deviceId}`, { type: "pairing.asked" });
}
