import type { KnownTokens } from "./pairing/known-tokens.ts";
import type { Health } from "./upkeep/health.ts";
import type { Operator } from "./upkeep/operator.ts";
import type { Ports } from "./ports.ts";
import type { Admission } from "./admission/budgets.ts";
import type { Meter } from "./meter.ts";
import type { ListedPackages } from "./packages/listed-packages.ts";
import type { Partials } from "./uploads/partials.ts";

/** The dependencies of every use case: the ports, the policy, and shared in-memory state. */
export interface Context extends Ports {
  readonly health: Health;
  readonly policy: Policy;
  readonly known: KnownTokens;
  readonly admission: Admission;
  readonly meter: Meter;
  readonly operator: Operator;
  readonly partials: Partials;
  readonly listed: ListedPackages;
}

/** The limits and windows in force (rules L1, L2, L4, S2, S4). Durations are milliseconds. */
export interface Policy {
  readonly callsPerMinute: number;
  /** Set if an app may make fewer calls than an importer (rule K16). */
  readonly appCallsPerMinute?: number;
  readonly packagesPerHour: number;
  readonly pairingTriesPerMinute: number;
  /** Wrong tries per hour (rule P6). */
  readonly pairingTries: PairingTries;
  /** True if a right code always needs a yes in the panel, not only while somebody guesses (rule P12). */
  readonly asksForEachPairing: boolean;
  /** Time for which a claim waits for that yes. */
  readonly consentWaitMs: number;
  readonly registrationsPerAddressPerDay: number;
  readonly registrationsPerDay: number;
  readonly waitingPerDevice: number;
  readonly bytesPerDevice: number;
  readonly bytesPerAddressPerDay: number;
  readonly minFreeBytes: number;
  readonly pairingCodeTtlMs: number;
  readonly uploadWindowMs: number;
  /** Time for which a package holds room for its missing files (rule U6). */
  readonly roomHoldMs: number;
  readonly waitWindowMs: number;
  readonly statusWindowMs: number;
  readonly leaseMs: number;
  /** Time after which an app that nobody uses is unpaired (rule SEC6); undefined for never. */
  readonly tokenIdleMs?: number | undefined;
  /** Time for which sounds that no record knows are kept (rule Z4). */
  readonly quarantineMs: number;
  /** The longest time after which everything that waits for notifications looks again (rule J6). */
  readonly lookAgainMs: number;
  /** True if an importer needs a key to register (rule AD13). */
  readonly registersByKey: boolean;
  /** The key of the settings, beside those that the operator adds. */
  readonly registrationKey: string | undefined;
}

/** The limits of wrong pairing tries per hour (rule P6). */
interface PairingTries {
  readonly perAddress: number;
  /** Tries of an IPv6 network of 56 bits. */
  readonly per56: number;
  /** Tries of a network of 24 bits (IPv4) or 48 bits (IPv6). */
  readonly perNetwork: number;
  readonly ofAll: number;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
