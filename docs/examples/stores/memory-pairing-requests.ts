import {
  judgeAsk,
  type PairingAnswer,
  type PairingAsk,
  type PairingAsked,
  type PairingRequests,
} from "../../../relay/index.ts";
import type { MemoryDatabase } from "./memory-database.ts";

/** Claims of codes that wait for a yes. */
export class MemoryPairingRequests implements PairingRequests {
  readonly #tables: MemoryDatabase;
  readonly #changed: () => void;

  constructor(tables: MemoryDatabase, changed: () => void) {
    this.#tables = tables;
    this.#changed = changed;
  }

  async ask({ codeHash, now, latestEnd, ...ask }: PairingAsk): Promise<PairingAsked | undefined> {
    const { codes, requests } = this.#tables;
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
    this.#changed();
    return { deviceId, outcome };
  }

  async find(deviceId: string, now: number) {
    return this.#valid(deviceId, now);
  }

  async answer({ deviceId, requestId, isAllowed, now }: PairingAnswer) {
    const { codes, requests } = this.#tables;
    const request = this.#valid(deviceId, now);
    if (request?.requestId !== requestId || request.state !== "asked") return false;
    if (isAllowed) {
      requests.set(deviceId, { ...request, state: "allowed", allowedAt: now });
    } else {
      requests.delete(deviceId);
      codes.delete(deviceId);
    }
    this.#changed();
    return true;
  }

  #valid(deviceId: string, now: number) {
    const request = this.#tables.requests.get(deviceId);
    return request !== undefined && now < request.expiresAt ? request : undefined;
  }
}
