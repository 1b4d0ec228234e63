import { MAX_HOLD_SECONDS } from "../limits.ts";
import { refusal, type Refusal } from "./refusal.ts";
import type { PackageStatus } from "./package-status.ts";

/** Rule S4. */
const MAX_HOLD_MS = MAX_HOLD_SECONDS * 1000;

/** The moments that decide what state a package is in. Times are milliseconds since 1970, UTC. */
export interface PackageLife {
  readonly uploadEndsAt: number;
  readonly committedAt: number | null;
  /** End of the wait for Import; null until committed. */
  readonly waitEndsAt: number | null;
  /** Set by a report. */
  readonly outcome: "imported" | "partial" | "failed" | null;
  readonly lease: Lease | null;
}

/** One import run's hold on a package (rule S2). */
export interface Lease {
  /** Empty where the importer names no run: the device counts as one. */
  readonly runId: string;
  readonly endsAt: number;
}

/** Whether a run holds the package at this moment. */
export function isTaken(
  life: PackageLife,
  now: number,
): life is PackageLife & { readonly lease: Lease } {
  return life.lease !== null && now < life.lease.endsAt;
}

/** When the files go: the end of the window that the package is in, or of the lease that holds it longer. */
export function filesEndAt(life: PackageLife): number {
  return Math.max(windowEndsAt(life), life.lease?.endsAt ?? 0);
}

/** The end of the upload window, after the commit the end of the wait. */
function windowEndsAt(life: PackageLife): number {
  return life.waitEndsAt ?? life.uploadEndsAt;
}

/** The state at one moment, right at the second it changes (rules S1, S3, S4). */
export function statusAt(life: PackageLife, now: number): PackageStatus {
  if (life.outcome !== null) return life.outcome;
  if (now >= filesEndAt(life)) return "expired";
  return life.committedAt === null ? "uploading" : "waiting";
}

/** `expires_at` of the public API: null once expired. An imported package's is when its files go. */
export function expiresAt(life: PackageLife, now: number): number | null {
  return statusAt(life, now) === "expired" ? null : filesEndAt(life);
}

/** When the status stops being readable (rule S5). */
export function readableUntil(life: PackageLife, statusWindowMs: number): number {
  return windowEndsAt(life) + statusWindowMs;
}

/** Why files can't be added or replaced now; undefined where they can (rule U3). */
export function refuseUpload(life: PackageLife, now: number): Refusal | undefined {
  const status = statusAt(life, now);
  if (status === "uploading") return undefined;
  return refusal(status === "expired" ? "PACKAGE_EXPIRED" : "NOT_UPLOADING");
}

/** The life after a commit of a package whose files are all there; unchanged when committed before (rule S1). */
export function commit(life: PackageLife, now: number, waitWindowMs: number): PackageLife {
  const status = statusAt(life, now);
  if (status === "expired") throw refusal("PACKAGE_EXPIRED");
  if (status !== "uploading") return life;
  return { ...life, committedAt: now, waitEndsAt: now + waitWindowMs };
}

/**
 * The life after a run takes the package or renews its hold (rule S2).
 * @throws {Refusal} 409 while another run holds it (unless forced), or when there is nothing to take
 */
export function take(
  life: PackageLife,
  now: number,
  run: { readonly runId: string; readonly force: boolean; readonly leaseMs: number },
): PackageLife {
  if (life.waitEndsAt === null) {
    throw refusal(statusAt(life, now) === "expired" ? "PACKAGE_EXPIRED" : "PACKAGE_NOT_COMMITTED");
  }
  if (now >= filesEndAt(life)) throw refusal("PACKAGE_EXPIRED");
  if (isTaken(life, now) && life.lease.runId !== run.runId && !run.force) {
    const seconds = Math.max(1, Math.ceil((life.lease.endsAt - now) / 1000));
    throw refusal(
      "RUN_ELSEWHERE",
      { seconds },
      { retryAfterSeconds: seconds, body: { expires_in: seconds } },
    );
  }
  const endsAt = Math.min(now + run.leaseMs, life.waitEndsAt + MAX_HOLD_MS);
  return { ...life, lease: { runId: run.runId, endsAt } };
}

/** The life with a live lease prolonged by a sign of life; unchanged where nobody holds it. */
export function renewLease(life: PackageLife, now: number, leaseMs: number): PackageLife {
  if (!isTaken(life, now) || life.waitEndsAt === null) return life;
  const endsAt = Math.min(now + leaseMs, life.waitEndsAt + MAX_HOLD_MS);
  return { ...life, lease: { ...life.lease, endsAt } };
}

/** The life after a report (rules S3, S9); the run that reported lets go. */
export function report(life: PackageLife, outcome: "imported" | "partial" | "failed"): PackageLife {
  if (life.committedAt === null) throw refusal("PACKAGE_NOT_COMMITTED");
  return { ...life, outcome, lease: null };
}

/** Why the app can't take the package back now; undefined where it can (rule S6). */
export function refuseWithdraw(life: PackageLife, now: number): Refusal | undefined {
  if (isTaken(life, now)) return refusal("PACKAGE_TAKEN");
  if (life.outcome === "imported" || life.outcome === "partial") return refusal("PACKAGE_IMPORTED");
  return undefined;
}
