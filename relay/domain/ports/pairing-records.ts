import type { ImportHistory } from "../../../core/quotas/budgets.ts";

/** One computer with one importer. */
export interface DeviceRecord {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly registeredAt: number;
  readonly lastSeenAt: number;
  /** undefined before the first import, and where a store doesn't keep it. */
  readonly imports?: ImportHistory | undefined;
}

/** One app on one device. Packages and the hourly limit belong to (device, app id). */
export interface PairingRecord {
  readonly pairingId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  /** The time of the last pairing. */
  readonly pairedAt: number;
  readonly lastSeenAt: number;
}

/** The app that a token belongs to. */
export interface AppTokenRecord extends PairingRecord {
  readonly deviceName: string;
  /** The device's. */
  readonly imports?: ImportHistory | undefined;
}

/** A device's pairing code, as SHA-256. */
export interface PairingCode {
  readonly deviceId: string;
  readonly codeHash: string;
  readonly expiresAt: number;
  readonly now: number;
}

/** A try to pair an app with a code. */
export interface CodeClaim {
  readonly codeHash: string;
  readonly now: number;
  /** A code with a later end was made on a clock that was ahead, and counts as expired. */
  readonly latestEnd: number;
  /** The id of a new pairing, if the app has none on that device yet. */
  readonly pairingId: string;
  readonly appId: string;
  readonly appName: string;
  readonly tokenHash: string;
  /** The pairing's oldest tokens beyond this number are dropped. */
  readonly maxTokens: number;
  /** Kept with the token until `endsAt`, so that `repeatClaim` finds it. */
  readonly repeatable?: (RepeatableClaim & { readonly endsAt: number }) | undefined;
}

/** Identifies a claim that can be repeated when its answer is lost (rule P13). */
export interface RepeatableClaim {
  /** SHA-256 of the app's key, the code, the app and its address. */
  readonly repeatHash: string;
  /** Time at which the call arrived. One that is overtaken by its repetition takes no token from it. */
  readonly arrivedAt: number;
}

/** A repeated claim. */
export interface ClaimRepeat extends RepeatableClaim {
  readonly tokenHash: string;
  readonly now: number;
  /** A claim that can be repeated for longer was made on a clock that was ahead, and can't be. */
  readonly latestEnd: number;
}

/** The keys that a removal doomed. */
export interface DoomedKeys {
  readonly doomed: readonly string[];
}

/**
 * Devices, pairing codes, pairings and tokens.
 *
 * The adapter makes every method atomic, also against other processes on the same store. A method that changes
 * something resolves only once the change is durable. A call that changes or judges something sees every earlier change
 * of every process. Only reads may lag: never in the process that made the change, and at most a second in others.
 * Tokens and codes arrive as SHA-256 and are stored only as that. The keys of a deleted package become doomed in the
 * same step.
 *
 * The caller passes unique ids and takes every time from the relay's clock.
 */
export interface PairingRecords {
  insertDevice(device: DeviceRecord, tokenHash: string): Promise<void>;
  findDeviceByToken(tokenHash: string): Promise<DeviceRecord | undefined>;
  renameDevice(deviceId: string, deviceName: string): Promise<void>;
  /**
   * Notes that the device imported something on a day, counted from 1970 in UTC: `imports` of the device and of its
   * apps' tokens says so from then on. A day counts once, and one before the last noted day doesn't count. A device
   * that is gone is ignored. Without it no device is ever proven (rule L7).
   */
  noteImport?(deviceId: string, day: number): Promise<void>;
  /** Deletes the device with its tokens, code, pairings and packages. */
  removeDevice(deviceId: string): Promise<DoomedKeys>;
  /** Lists the devices last seen before `time`. */
  listDevicesUnseenSince(time: number): Promise<readonly string[]>;

  /**
   * Replaces the device's code. Returns false, unchanged, if another device's valid code is the same. Rejects if
   * the device is gone.
   */
  putCode(code: PairingCode): Promise<boolean>;
  /** Deletes the device's code, if it has one. */
  removeCode(deviceId: string): Promise<void>;
  /**
   * Consumes a valid code and adds the token to the pairing of (device, app id). Of all claims of one code
   * exactly one gets the pairing; the others get undefined, as does a claim of an expired code.
   */
  claimCode(claim: CodeClaim): Promise<AppTokenRecord | undefined>;
  /**
   * Replaces the token of an earlier claim with the same `repeatHash`, as long as that can be repeated, and changes
   * nothing else; undefined if there is none. The earlier token is revoked. `forgetOld` forgets hashes that have ended.
   * Without it, a claim whose answer is lost can't be repeated.
   */
  repeatClaim?(repeat: ClaimRepeat): Promise<AppTokenRecord | undefined>;
  /** Claims that wait for a yes, if the store can keep them. */
  readonly requests?: PairingRequests;

  findAppByToken(tokenHash: string): Promise<AppTokenRecord | undefined>;
  listPairings(deviceId: string): Promise<readonly PairingRecord[]>;
  /**
   * Deletes one token. If it was the last, deletes the pairing too, and the app's packages that are neither
   * committed nor expired. Of removals of a pairing's last tokens exactly one reports `wasLast`.
   */
  removeAppToken(
    tokenHash: string,
    now: number,
  ): Promise<DoomedKeys & { readonly wasLast: boolean }>;
  /**
   * Deletes a device's pairing with all its tokens, and the app's packages that are neither committed nor
   * expired; undefined if there is no such pairing.
   */
  removePairing(
    deviceId: string,
    pairingId: string,
    now: number,
  ): Promise<(DoomedKeys & { readonly pairing: PairingRecord }) | undefined>;
  /**
   * Records when devices and pairings were last seen. The time never decreases. Need not be durable, and other
   * processes need not notice.
   */
  noteSeen(seen: {
    readonly devices: ReadonlyMap<string, number>;
    readonly pairings: ReadonlyMap<string, number>;
  }): Promise<void>;
}

/** A right code that an app has claimed, where only a yes in the panel pairs it (rule P12). */
export interface PairingRequest {
  readonly requestId: string;
  readonly deviceId: string;
  readonly appId: string;
  readonly appName: string;
  /** The claim's address, as limits count it. */
  readonly address: string;
  /** The claim's network, rough enough to show to a person. */
  readonly network: string;
  /** The end of its code, and so of the request. */
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
  /** The same as in `CodeClaim`. */
  readonly latestEnd: number;
}

/**
 * The outcome of an ask. `asked`: this claim made the request. `waiting`: it is the request's own app, and nobody has
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
  /** Returns the request of a device's code, unless it has expired. */
  find(deviceId: string, now: number): Promise<PairingRequest | undefined>;
  /**
   * Answers a request that is asked and has not expired; false if it isn't. A no deletes it with its code, which
   * a stranger knows.
   */
  answer(answer: PairingAnswer): Promise<boolean>;
}
