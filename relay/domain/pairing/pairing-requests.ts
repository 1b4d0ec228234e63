import { isJsonObject } from "../../../core/text/json-object.ts";
import type { PairingRequestAnswer } from "../../../core/protocol/importer-api.ts";
import { refusal } from "../../../core/protocol/refusal.ts";
import { secondsUntil, timeText } from "../../../core/time.ts";
import type { Context } from "../context.ts";

/** What a device's importer asks its user (rule P12). */
export async function readPairingRequest(
  { pairings, clock }: Context,
  deviceId: string,
): Promise<PairingRequestAnswer> {
  const now = clock.now();
  const found = await pairings.requests?.find(deviceId, now);
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
 * A yes or a no of the device's user. The claims that wait learn of it at once, in every process.
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
  const isAnswered = await pairings.requests?.answer({ deviceId, requestId, isAllowed, now });
  if (isAnswered !== true) throw refusal("PAIRING_REQUEST_OVER");
  await notifier.notify(`device:${deviceId}`, { type: "pairing.asked" });
}
