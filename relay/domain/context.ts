import type { KnownTokens } from "./known-tokens.ts";
import type { Health } from "./health.ts";
import type { Ports, ProvenClock } from "./ports.ts";
import type { Admission } from "./admission/admission.ts";
import type { Meter } from "./meter.ts";

/** What every use case needs: the ports, the policy, and shared in-memory state. */
export interface Context extends Ports {
  readonly clock: ProvenClock;
  readonly health: Health;
  readonly policy: Policy;
  readonly known: KnownTokens;
  readonly admission: Admission;
  readonly meter: Meter;
}

/** The limits and windows in force (rules L1, L2, L4, S2, S4). Durations are milliseconds. */
export interface Policy {
  readonly callsPerMinute: number;
  readonly packagesPerHour: number;
  readonly pairingTriesPerMinute: number;
  readonly waitingPerDevice: number;
  readonly bytesPerDevice: number;
  readonly bytesPerAddressPerDay: number;
  readonly minFreeBytes: number;
  readonly pairingCodeTtlMs: number;
  readonly uploadWindowMs: number;
  readonly waitWindowMs: number;
  readonly statusWindowMs: number;
  readonly leaseMs: number;
  /** How long sounds that no record knows are kept (rule Z4). */
  readonly quarantineMs: number;
  /** Everything that waits for notifications looks again after this time at the latest (rule J6). */
  readonly lookAgainMs: number;
  /** undefined when anyone may register an importer. */
  readonly registrationKey: string | undefined;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
