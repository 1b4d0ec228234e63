import {
  judgeAsk,
  type PairingAnswer,
  type PairingAsk,
  type PairingAsked,
  type PairingRequest,
} from "../../../relay/index.ts";
import type { MemoryDatabase } from "./memory-database.ts";

/** Stores a claim of a code that needs a yes, if `judgeAsk` says so. */
export function askToPair(
  { codes, requests }: MemoryDatabase,
  { codeHash, now, latestEnd, ...ask }: PairingAsk,
): PairingAsked | undefined {
  const code = [...codes.values()].find(
    (one) => one.codeHash === codeHash && now < one.expiresAt && one.expiresAt <= latestEnd,
  );
  if (code === undefined) return undefined;
  const { deviceId, expiresAt } = code;
  const earlier = requests.get(deviceId);
  const outcome = judgeAsk(earlier, { ...ask, now });
  if (outcome === "asked") {
    requests.set(deviceId, { ...ask, deviceId, expiresAt, state: "asked", allowedAt: null });
  } else if (outcome === "disputed" && earlier !== undefined) {
    requests.set(deviceId, { ...earlier, state: "disputed" });
    codes.delete(deviceId);
  }
  return { deviceId, outcome };
}

/** Finds the request of a device's code, unless it has expired. */
export function findRequest(
  { requests }: MemoryDatabase,
  deviceId: string,
  now: number,
): PairingRequest | undefined {
  const request = requests.get(deviceId);
  return request !== undefined && now < request.expiresAt ? request : undefined;
}

/** Answers a request. Returns false if it can't be answered. */
export function answerRequest(
  tables: MemoryDatabase,
  { deviceId, requestId, isAllowed, now }: PairingAnswer,
): boolean {
  const request = findRequest(tables, deviceId, now);
  if (request?.requestId !== requestId || request.state !== "asked") return false;
  if (isAllowed) {
    tables.requests.set(deviceId, { ...request, state: "allowed", allowedAt: now });
  } else {
    tables.requests.delete(deviceId);
    tables.codes.delete(deviceId);
  }
  return true;
}
