import { MAX_HOLD_SECONDS } from "../limits.ts";
import { secondsUntil } from "../time.ts";
import { refusal, type Refusal } from "./refusal.ts";
import type { PackageStatus } from "./package-status.ts";

const MAX_HOLD_MS = MAX_HOLD_SECONDS * 1000;
/** A lease that ends this much later than a new one would was taken while the clock was wrong (rule Z6). */
const STALE_LEASE_MS = 3_600_000;

/** The timestamps that determine a package's state, in milliseconds since 1970, UTC. */
export interface PackageLife {
  readonly uploadEndsAt: number;
  readonly committedAt: number | null;
  /** End of the wait for Import; null until committed. */
  readonly waitEndsAt: number | null;
  /** The outcome of the last report; null without one. */
  readonly outcome: "imported" | "partial" | "failed" | null;
  readonly lease: Lease | null;
}

/** One import run's hold on a package (rule S2). */
export interface Lease {
  /** Empty if the importer names no run; the device then counts as one. */
  readonly runId: string;
  readonly endsAt: number;
}

/**
 * Checks whether a run holds the package.
 * @param leaseMs how long a lease lasts; one that ends much later was taken while the clock was ahead, and holds
 *   nothing
 */
export function isTaken(
  life: PackageLife,
  now: number,
  leaseMs = Infinity,
): life is PackageLife & { readonly lease: Lease } {
  if (life.lease === null) return false;
  const leftMs = life.lease.endsAt - now;
  return leftMs > 0 && leftMs <= leaseMs + STALE_LEASE_MS;
}

/**
 * Returns the time at which the files are deleted: the end of the current window or of the lease, whichever is later.
 */
export function filesEndAt(life: PackageLife): number {
  return Math.max(windowEndsAt(life), life.lease?.endsAt ?? 0);
}

/** Returns the end of the upload window or, once committed, of the wait. */
function windowEndsAt(life: PackageLife): number {
  return life.waitEndsAt ?? life.uploadEndsAt;
}

/** Returns the status at `now`; windows and leases exclude their end (rules S1, S3, S4). */
export function statusAt(life: PackageLife, now: number): PackageStatus {
  if (life.outcome !== null) return life.outcome;
  if (now >= filesEndAt(life)) return "expired";
  return life.committedAt === null ? "uploading" : "waiting";
}

/** The stored part of a package's state. */
export interface StoredState {
  readonly life: PackageLife;
  readonly filesDeleted: boolean;
}

/**
 * Returns the status at `now`. After its files are deleted, every window is over, whatever the clock says (rule Z5).
 */
export function statusOf({ life, filesDeleted }: StoredState, now: number): PackageStatus {
  return statusAt(life, filesDeleted ? Infinity : now);
}

/** Returns `expires_at` of the public API: the time at which the files are deleted; null once expired. */
export function expiresAt(state: StoredState, now: number): number | null {
  return statusOf(state, now) === "expired" ? null : filesEndAt(state.life);
}

/** Returns the time at which the status stops being readable (rule S5). */
export function readableUntil(life: PackageLife, statusWindowMs: number): number {
  return windowEndsAt(life) + statusWindowMs;
}

/**
 * Returns the refusal of an upload, or undefined if the file can be added or replaced (rule U3).
 * @param isMissing true if the package lacks the file: one that waits lost it, and takes it again (rule Z2)
 */
export function refuseUpload(
  life: PackageLife,
  now: number,
  isMissing: boolean,
): Refusal | undefined {
  const status = statusAt(life, now);
  if (status === "uploading" || (status === "waiting" && isMissing)) return undefined;
  return refusal(status === "expired" ? "PACKAGE_EXPIRED" : "NOT_UPLOADING");
}

/**
 * Returns the refusal of a package that an importer can't have now, or undefined if it is committed and its files
 * exist.
 */
export function refuseUnlisted(life: PackageLife, now: number): Refusal | undefined {
  if (life.committedAt === null) return refusal("PACKAGE_NOT_COMMITTED");
  return now >= filesEndAt(life) ? refusal("PACKAGE_EXPIRED") : undefined;
}

/**
 * Commits a package whose files are complete; no change if already committed, a 409 if expired (rule S1).
 * @param confirmedNow decides whether it has expired (rule Z6)
 */
export function commit(
  life: PackageLife,
  now: number,
  waitWindowMs: number,
  confirmedNow = now,
): PackageLife {
  const status = statusAt(life, confirmedNow);
  if (status === "expired") throw refusal("PACKAGE_EXPIRED");
  if (status !== "uploading") return life;
  return { ...life, committedAt: now, waitEndsAt: now + waitWindowMs };
}

/** One import run that asks for a package. */
export interface Run {
  readonly runId: string;
  readonly force: boolean;
  readonly leaseMs: number;
}

/**
 * Takes the package for a run, or renews its lease (rule S2).
 * @param confirmedNow decides whether it has expired (rule Z6)
 * @throws {Refusal} 409 if another run holds it (unless forced), or if it isn't committed or has expired
 */
export function take(life: PackageLife, now: number, run: Run, confirmedNow = now): PackageLife {
  const { runId, leaseMs } = run;
  if (life.waitEndsAt === null) {
    const isExpired = statusAt(life, confirmedNow) === "expired";
    throw refusal(isExpired ? "PACKAGE_EXPIRED" : "PACKAGE_NOT_COMMITTED");
  }
  if (confirmedNow >= filesEndAt(life)) throw refusal("PACKAGE_EXPIRED");
  const isHeld = isTaken(life, now, leaseMs);
  if (isHeld && life.lease.runId !== runId && !run.force) {
    const seconds = secondsUntil(life.lease.endsAt, now);
    const extras = { retryAfterSeconds: seconds, body: { expires_in: seconds } };
    throw refusal("RUN_ELSEWHERE", { seconds }, extras);
  }
  const endsAt = newLeaseEnd(life.waitEndsAt, { now, confirmedNow, leaseMs });
  if (isHeld && life.lease.runId === runId && life.lease.endsAt >= endsAt) return life;
  return { ...life, lease: { runId, endsAt } };
}

/** Renews an active lease; no change without one. It never gets shorter. */
export function renewLease(
  life: PackageLife,
  now: number,
  leaseMs: number,
  confirmedNow = now,
): PackageLife {
  if (!isTaken(life, now, leaseMs) || life.waitEndsAt === null) return life;
  const endsAt = newLeaseEnd(life.waitEndsAt, { now, confirmedNow, leaseMs });
  return endsAt > life.lease.endsAt ? { ...life, lease: { ...life.lease, endsAt } } : life;
}

/**
 * Returns the end of a new lease. While the clock is not proven, the deadline that limits it is later by the
 * difference.
 */
function newLeaseEnd(
  waitEndsAt: number,
  { now, confirmedNow, leaseMs }: { now: number; confirmedNow: number; leaseMs: number },
): number {
  return Math.min(now + leaseMs, waitEndsAt + MAX_HOLD_MS + (now - confirmedNow));
}

/** Records a report and ends the lease (rules S3, S9); throws a 409 if never committed. */
export function report(life: PackageLife, outcome: "imported" | "partial" | "failed"): PackageLife {
  if (life.committedAt === null) throw refusal("PACKAGE_NOT_COMMITTED");
  return { ...life, outcome, lease: null };
}

/** Returns the refusal of a withdrawal, or undefined if it is allowed (rule S6). */
export function refuseWithdraw(
  life: PackageLife,
  now: number,
  leaseMs?: number,
): Refusal | undefined {
  if (isTaken(life, now, leaseMs)) return refusal("PACKAGE_TAKEN");
  if (life.outcome === "imported" || life.outcome === "partial") return refusal("PACKAGE_IMPORTED");
  return undefined;
}
