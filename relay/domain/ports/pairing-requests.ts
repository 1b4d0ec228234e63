/** A right code that an app has claimed, where only a yes in the panel pairs it (rule P12). */
export interface PairingRequest {
  readonly requestId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  /** Where the claim came from, as limits count it. */
  readonly address: string;
  /** The same, rough enough to show to a person. */
  readonly network: string;
  /** When its code ends, and it with it. */
  readonly expiresAt: number;
  /** `disputed`: another address claimed the code too, which ended the code. */
  readonly state: "asked" | "allowed" | "disputed";
  /** null until it is allowed. */
  readonly allowedAt: number | null;
}

/** A claim that asks for a yes. */
export interface PairingAsk extends Pick<
  PairingRequest,
  "requestId" | "appId" | "appName" | "address" | "network"
> {
  readonly codeHash: string;
  readonly now: number;
  /** As in `CodeClaim`. */
  readonly latestEnd: number;
}

/**
 * What an ask came to. `asked`: this claim made the request. `waiting`: it is the request's own app, and nobody has
 * answered. `allowed`: it may claim the code. `disputed`: it ended the code. `other-app`: another app of the same
 * address was first.
 */
export interface PairingAsked {
  readonly deviceId: string;
  readonly outcome: "asked" | "waiting" | "allowed" | "disputed" | "other-app";
}

export interface PairingAnswer extends Pick<PairingRequest, "deviceId" | "requestId"> {
  readonly isAllowed: boolean;
  readonly now: number;
}

/**
 * The requests of claims that wait for a yes, at most one for each code. A store has this if it can: without it,
 * claims that need a yes are answered like wrong ones.
 *
 * The adapter makes every method atomic and durable, as in `PairingRecords`. A request ends when its code is
 * claimed, replaced, removed or expired, and with its device; only a disputed one stays, without its code, until the
 * code would have expired, is replaced or is removed. `forgetOld` deletes those that have expired.
 */
export interface PairingRequests {
  /**
   * Has `judgeAsk` judge a claim of a valid code, and does what it says; undefined without such a code.
   * - `asked` stores the request, in place of an earlier one.
   * - `disputed` deletes the code and marks the request.
   */
  ask(ask: PairingAsk): Promise<PairingAsked | undefined>;
  /** The request of a device's code, unless it has expired. */
  find(deviceId: string, now: number): Promise<PairingRequest | undefined>;
  /**
   * Answers a request that is asked and has not expired; false if it isn't. A no deletes it with its code, which
   * a stranger knows.
   */
  answer(answer: PairingAnswer): Promise<boolean>;
}
