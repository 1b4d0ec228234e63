import { CONSENT_SECONDS } from "../../../core/limits.ts";
import type { PairingAsk, PairingAsked, PairingRequest } from "../ports/pairing-requests.ts";

type Ask = Pick<PairingAsk, "appId" | "address" | "now">;

/**
 * Judges a claim of a right code that needs a yes (rule P12).
 * @param request the code's request, if it has one
 */
export function judgeAsk(
  request: Pick<PairingRequest, "appId" | "address" | "state" | "allowedAt"> | undefined,
  { appId, address, now }: Ask,
): PairingAsked["outcome"] {
  if (request === undefined) return "asked";
  if (request.address !== address) return "disputed";
  if (request.appId !== appId) return "other-app";
  if (request.state !== "allowed") return "waiting";
  return isFresh(request.allowedAt, now) ? "allowed" : "asked";
}

/** Also not after a clock was set back by more than that. */
function isFresh(allowedAt: number | null, now: number): boolean {
  return allowedAt !== null && Math.abs(now - allowedAt) < CONSENT_SECONDS * 1000;
}
