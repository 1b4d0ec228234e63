import type { KeyRefusal } from "../../../core/quotas/judge-registration-key.ts";
import type { ImportHistory } from "../../../core/quotas/budgets.ts";

/** One computer with one importer. */
export interface DeviceRecord {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly registeredAt: number;
  readonly lastSeenAt: number;
  /** undefined before the first import. */
  readonly imports?: ImportHistory | undefined;
}

/** The registration key that a device registers with. */
export interface KeyUse {
  readonly name: string;
  /** Its SHA-256; undefined for the key of the settings, which nothing counts. */
  readonly keyHash: string | undefined;
  /** Proven time (rule Z6). */
  readonly now: number;
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

/** One app on one device, in a list. */
export interface ListedPairing extends PairingRecord {
  /** Its packages that wait: what unpairing removes. It is advice, like `PackageRecords.readUsage`. */
  readonly waitingPackages: number;
}

/** Limits that an operator sets for one device, in place of the relay's (rule AD14); null for the relay's. */
export interface DeviceQuota {
  readonly bytes: number | null;
  readonly waiting: number | null;
}

/** The app that a token belongs to. */
export interface AppTokenRecord extends PairingRecord {
  readonly deviceName: string;
  /** undefined without an operator's limits. */
  readonly quota?: DeviceQuota | undefined;
  /** The device's. */
  readonly imports?: ImportHistory | undefined;
}

/** A device's pairing code, as SHA-256. */
export interface PairingCode {
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

/** A change of a device. Members that are missing stay as they are. */
export interface DeviceChange {
  readonly deviceName?: string;
  /**
   * The device imported something on this day, counted from 1970 in UTC: `imports` of the device and of its apps'
   * tokens says so from then on (rule L7). A day counts once, and one before the last noted day doesn't count.
   */
  readonly importDay?: number;
}

/** A choice of devices. */
export interface DeviceFilter {
  /** Time before which they were last seen. */
  readonly unseenSince: number;
  /** Set for those that no app was ever paired with (rule AD9). */
  readonly neverPaired?: boolean;
}

/** A device's pairing that ends with all its tokens. */
export interface PairingToEnd {
  readonly deviceId: string;
  readonly pairingId: string;
  /** True unless its person unpairs it: what waits stays (rule A3). */
  readonly keepsWaiting?: boolean;
  /** Time before which it must have been last seen; any time if missing. */
  readonly unseenSince?: number;
}

/** The subject of an unpairing: one token by its app, or a whole pairing. */
export type Unpairing = { readonly tokenHash: string } | PairingToEnd;

/** The outcome of an unpairing. */
export interface Unpaired extends DoomedKeys {
  /** The pairing that ended; undefined if other tokens of it stay. */
  readonly ended: PairingRecord | undefined;
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
  /**
   * Inserts a device, and counts its registration key in the same step. Returns why the key can't be used any more;
   * then nothing is inserted. Only a store with `OperatorRecords` gets a `keyHash`.
   */
  insertDevice(
    device: DeviceRecord,
    tokenHash: string,
    key?: KeyUse,
  ): Promise<KeyRefusal | undefined>;
  /** Changes a device. One that is gone is ignored. */
  changeDevice(deviceId: string, change: DeviceChange): Promise<void>;
  /** Deletes the device with its tokens, code, pairings and packages. */
  removeDevice(deviceId: string): Promise<DoomedKeys>;
  /** Lists the ids of devices. */
  listDevices(which: DeviceFilter): Promise<readonly string[]>;
  findDevice(tokenHash: string): Promise<DeviceRecord | undefined>;
  findApp(tokenHash: string): Promise<AppTokenRecord | undefined>;
  listPairings(deviceId: string): Promise<readonly ListedPairing[]>;
  /** Lists pairings that were last seen before a time, `limit` at most. */
  listUnseen(
    unseenSince: number,
    limit: number,
  ): Promise<readonly Pick<PairingRecord, "deviceId" | "pairingId">[]>;

  /**
   * Replaces the device's code, or ends it with null; its request ends with it. Returns false, unchanged, if another
   * device's valid code is the same. Rejects if a device that is gone gets a code.
   */
  setCode(deviceId: string, code: PairingCode | null): Promise<boolean>;
  /**
   * Consumes a valid code and adds the token to the pairing of (device, app id). Of all claims of one code
   * exactly one gets the pairing; the others get undefined, as does a claim of an expired code.
   */
  claimCode(claim: CodeClaim): Promise<AppTokenRecord | undefined>;
  /**
   * Replaces the token of an earlier claim with the same `repeatHash`, as long as that can be repeated, and changes
   * nothing else; undefined if there is none. The earlier token is revoked. `forgetOld` forgets hashes that have ended.
   */
  repeatClaim(repeat: ClaimRepeat): Promise<AppTokenRecord | undefined>;

  /**
   * Has `judgeAsk` judge a claim of a valid code, and does what it says; undefined without such a code.
   * - `asked` stores the request, in place of an earlier one.
   * - `disputed` deletes the code and marks the request.
   */
  askToPair(ask: PairingAsk): Promise<PairingAsked | undefined>;
  /** Returns the request of a device's code, unless it has expired. */
  findRequest(deviceId: string, now: number): Promise<PairingRequest | undefined>;
  /**
   * Answers a request that is asked and has not expired; false if it isn't. A no deletes it with its code, which
   * a stranger knows.
   */
  answerRequest(answer: PairingAnswer): Promise<boolean>;

  /**
   * Deletes a token, or a pairing with its tokens; undefined if there is none. With its last token a pairing ends, and so
   * do the app's packages that are neither committed nor expired. With a pairing that is deleted as such, so do those that
   * wait and no run holds (rule A3). Of removals of a pairing's last tokens exactly one reports `ended`.
   * @param now proven time
   */
  unpair(what: Unpairing, now: number): Promise<Unpaired | undefined>;
  /**
   * Records when devices and pairings were last seen. The time never decreases. Need not be durable, and other
   * processes need not notice.
   */
  noteSeen(seen: {
    readonly devices: ReadonlyMap<string, number>;
    readonly pairings: ReadonlyMap<string, number>;
  }): Promise<void>;
}

/**
 * A right code that an app has claimed, where only a yes in the panel pairs it (rule P12). A code has at most one. It ends
 * when its code is claimed, replaced, ended or expired, and with its device; only a disputed one stays, without its code,
 * until the code would have expired, is replaced or ended. `forgetOld` deletes those that have expired.
 */
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
