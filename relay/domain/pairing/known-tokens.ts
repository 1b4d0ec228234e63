import { refusal } from "../../../core/protocol/refusal.ts";
import type { Eventual } from "../../../core/eventual.ts";
import type { AppTokenRecord, DeviceRecord, Digest, PairingRecords, RelayClock } from "../ports.ts";
import { looksLikeToken } from "./tokens.ts";

/**
 * Time for which a token is cached, in the relay's time. That time runs at half speed after the machine's clock was set
 * back, so this is at most a second (rules A3, J3). It is only a fallback: the store reports changes of other
 * processes, and then the cache is cleared (rule J7).
 */
const CACHE_MS = 500;
/** Caps the cache, so that memory stays bounded. */
const MAX_CACHED = 10_000;

/** An authenticated app. */
export interface KnownApp extends AppTokenRecord {
  readonly tokenHash: string;
}

/** The times at which devices and pairings were last seen, by their ids. */
type Seen = Parameters<PairingRecords["noteSeen"]>[0];

/**
 * Resolves tokens to their apps and devices, and caches the result for half a second, so that a busy token
 * costs neither a hash nor a lookup. Revoking clears the cache at once (rule A3), including lookups in flight.
 */
export class KnownTokens {
  readonly #records: Pick<PairingRecords, "findApp" | "findDevice">;
  readonly #digest: Digest;
  readonly #clock: RelayClock;
  readonly #apps = new Map<string, { readonly app: KnownApp; readonly until: number }>();
  readonly #devices = new Map<string, { readonly device: DeviceRecord; readonly until: number }>();
  /** Until when each app counts as just looked up. */
  #looked = new WeakMap<KnownApp, number>();
  readonly #seenDevices = new Map<string, number>();
  readonly #seenPairings = new Map<string, number>();
  #generation = 0;

  constructor(
    records: Pick<PairingRecords, "findApp" | "findDevice">,
    digest: Digest,
    clock: RelayClock,
  ) {
    this.#records = records;
    this.#digest = digest;
    this.#clock = clock;
  }

  /**
   * Returns a token's app, at once if it is cached: nearly every call's is, and a promise costs time.
   * @throws {Refusal} 401 TOKEN_UNKNOWN
   */
  app(token: string): Eventual<KnownApp> {
    const now = this.#clock.now();
    const cached = this.#apps.get(token);
    if (cached === undefined || now >= cached.until) return this.#findApp(token, now);
    this.#seenPairings.set(cached.app.pairingId, now);
    return cached.app;
  }

  async #findApp(token: string, now: number): Promise<KnownApp> {
    if (!looksLikeToken(token, "sfa")) throw refusal("TOKEN_UNKNOWN");
    const tokenHash = this.#digest.ofText(token);
    const generation = this.#generation;
    const found = await this.#records.findApp(tokenHash);
    if (found === undefined) throw refusal("TOKEN_UNKNOWN");
    const app = { ...found, tokenHash };
    if (generation === this.#generation) {
      this.#looked.set(app, now + CACHE_MS);
      if (this.#apps.size >= MAX_CACHED) this.#apps.clear();
      this.#apps.set(token, { app, until: now + CACHE_MS });
    }
    this.#seenPairings.set(app.pairingId, now);
    return app;
  }

  /** @throws {Refusal} 401 IMPORTER_UNKNOWN */
  async device(token: string): Promise<DeviceRecord> {
    const now = this.#clock.now();
    const cached = this.#devices.get(token);
    if (cached !== undefined && now < cached.until) {
      this.#seenDevices.set(cached.device.deviceId, now);
      return cached.device;
    }
    if (!looksLikeToken(token, "sfi")) throw refusal("IMPORTER_UNKNOWN");
    const tokenHash = this.#digest.ofText(token);
    const generation = this.#generation;
    const device = await this.#records.findDevice(tokenHash);
    if (device === undefined) throw refusal("IMPORTER_UNKNOWN");
    if (generation === this.#generation) {
      if (this.#devices.size >= MAX_CACHED) this.#devices.clear();
      this.#devices.set(token, { device, until: now + CACHE_MS });
    }
    this.#seenDevices.set(device.deviceId, now);
    return device;
  }

  /** Checks whether an app was looked up just now, and nothing was revoked since as far as this process knows. */
  isJustKnown(app: KnownApp): boolean {
    return this.#clock.now() < (this.#looked.get(app) ?? -Infinity);
  }

  /** Checks whether an authenticated app's token is still valid. */
  async isStillPaired(app: KnownApp): Promise<boolean> {
    return (await this.#records.findApp(app.tokenHash)) !== undefined;
  }

  /** Clears the cache. Call it after every revocation and every rename, here or in another process. */
  forget(): void {
    this.#generation += 1;
    this.#looked = new WeakMap();
    this.#apps.clear();
    this.#devices.clear();
  }

  /** Returns the devices and pairings that were seen, unless `forgetSeen` had the same time since. */
  seen(): Seen {
    return { devices: new Map(this.#seenDevices), pairings: new Map(this.#seenPairings) };
  }

  /** Forgets what was seen, because it is stored. */
  forgetSeen({ devices, pairings }: Seen): void {
    forgetTimes(this.#seenDevices, devices);
    forgetTimes(this.#seenPairings, pairings);
  }
}

function forgetTimes(times: Map<string, number>, stored: ReadonlyMap<string, number>): void {
  for (const [id, at] of stored) if (times.get(id) === at) times.delete(id);
}
