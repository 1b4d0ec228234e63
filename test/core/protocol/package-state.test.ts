import { describe, expect, test } from "vitest";
import {
  commit,
  expiresAt,
  filesEndAt,
  isTaken,
  type PackageLife,
  readableUntil,
  refuseUnlisted,
  refuseWithdraw,
  refuseUpload,
  renewLease,
  report,
  statusAt,
  statusOf,
  take,
} from "../../../core/protocol/package-state.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEASE = 300_000;

const announced: PackageLife = {
  uploadEndsAt: HOUR,
  committedAt: null,
  waitEndsAt: null,
  outcome: null,
  lease: null,
};
const waiting = commit(announced, 1000, DAY);
const waitEnds = 1000 + DAY;
const run = (runId: string, force = false) => ({ runId, force, leaseMs: LEASE });

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return "none";
}

describe("announced and committed", () => {
  test("[S4] is uploading until the last millisecond of the hour, then expired", () => {
    expect(statusAt(announced, HOUR - 1)).toBe("uploading");
    expect(statusAt(announced, HOUR)).toBe("expired");
    const stored = { life: announced, filesDeleted: false };
    expect(expiresAt(stored, HOUR - 1)).toBe(HOUR);
    expect(expiresAt(stored, HOUR)).toBeNull();
  });

  test("[Z5] is expired once its files are deleted, at any time, unless it was reported", () => {
    for (const life of [announced, waiting]) {
      const deleted = { life, filesDeleted: true };
      expect(statusOf(deleted, 0)).toBe("expired");
      expect(expiresAt(deleted, 0)).toBeNull();
      expect(statusOf({ ...deleted, filesDeleted: false }, 0)).not.toBe("expired");
    }
    const reported = { life: report(waiting, "partial"), filesDeleted: true };
    expect(statusOf(reported, 0)).toBe("partial");
  });

  test("[S1] the first commit starts the wait, another changes nothing, a late one is refused", () => {
    expect(statusAt(waiting, 1000)).toBe("waiting");
    expect(waiting.waitEndsAt).toBe(waitEnds);
    expect(commit(waiting, 5000, DAY)).toBe(waiting);
    expect(commit(report(waiting, "partial"), 5000, DAY).outcome).toBe("partial");
    expect(codeOf(() => commit(announced, HOUR, DAY))).toBe("PACKAGE_EXPIRED");
    expect(codeOf(() => commit(waiting, waitEnds, DAY))).toBe("PACKAGE_EXPIRED");
  });

  test("[U3][Z2] accepts files while uploading, and while waiting those that are missing", () => {
    expect(refuseUpload(announced, 0, false)).toBeUndefined();
    expect(refuseUpload(announced, HOUR, true)?.code).toBe("PACKAGE_EXPIRED");
    expect(refuseUpload(waiting, 2000, false)?.code).toBe("NOT_UPLOADING");
    expect(refuseUpload(waiting, 2000, true)).toBeUndefined();
    expect(refuseUpload(waiting, waitEnds, true)?.code).toBe("PACKAGE_EXPIRED");
    expect(refuseUpload(report(waiting, "partial"), 2000, true)?.code).toBe("NOT_UPLOADING");
  });

  test("[S4] waits until 24 hours after the commit, to the millisecond", () => {
    expect(statusAt(waiting, waitEnds - 1)).toBe("waiting");
    expect(statusAt(waiting, waitEnds)).toBe("expired");
  });
});

describe("taken", () => {
  test("[S2] one run holds it for the lease; others get the seconds left", () => {
    const taken = take(waiting, 10_000, run("a"));
    expect(statusAt(taken, 10_000)).toBe("waiting");
    expect(isTaken(taken, 10_000 + LEASE - 1)).toBe(true);
    expect(isTaken(taken, 10_000 + LEASE)).toBe(false);
    try {
      take(taken, 20_000, run("b"));
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({
        code: "RUN_ELSEWHERE",
        message: "Another import is running. Try again in 290 s.",
        status: 409,
        extras: { retryAfterSeconds: 290, body: { expires_in: 290 } },
      });
    }
    expect(take(taken, 20_000, run("a")).lease?.endsAt).toBe(20_000 + LEASE);
    expect(take(taken, 20_000, run("b", true)).lease?.runId).toBe("b");
    expect(take(taken, 10_000 + LEASE, run("b")).lease?.runId).toBe("b");
  });

  test("[S2] can be taken only while waiting or reported, with its files present", () => {
    for (const outcome of ["imported", "partial", "failed"] as const) {
      expect(take(report(waiting, outcome), 2000, run("a")).outcome).toBe(outcome);
    }
    expect(codeOf(() => take(announced, 0, run("a")))).toBe("PACKAGE_NOT_COMMITTED");
    expect(codeOf(() => take(announced, HOUR, run("a")))).toBe("PACKAGE_EXPIRED");
    expect(codeOf(() => take(waiting, waitEnds, run("a")))).toBe("PACKAGE_EXPIRED");
    expect(codeOf(() => take(report(waiting, "imported"), waitEnds, run("a")))).toBe(
      "PACKAGE_EXPIRED",
    );
  });

  test("[S2] an importer can have it once it is committed, and as long as its files exist", () => {
    expect(refuseUnlisted(announced, 0)?.code).toBe("PACKAGE_NOT_COMMITTED");
    expect(refuseUnlisted(waiting, waitEnds - 1)).toBeUndefined();
    expect(refuseUnlisted(waiting, waitEnds)?.code).toBe("PACKAGE_EXPIRED");
    expect(refuseUnlisted(take(waiting, waitEnds - 1, run("a")), waitEnds)).toBeUndefined();
  });

  test("[S2] the run that holds it gets the same package for a lease that ends no later", () => {
    const taken = take(waiting, 1000, run("a"));
    expect(take(taken, 1000, run("a"))).toBe(taken);
    expect(take(taken, 900, run("a"))).toBe(taken);
    expect(take(taken, 1001, run("a")).lease).toEqual({ runId: "a", endsAt: 1001 + LEASE });
    expect(take(taken, 1000, run("b", true)).lease).toEqual({ runId: "b", endsAt: 1000 + LEASE });
    expect(take(taken, 900, run("b", true)).lease).toEqual({ runId: "b", endsAt: 900 + LEASE });
    expect(renewLease(taken, 1000, LEASE)).toBe(taken);
  });

  test("[S4] a lease keeps files and state past the wait, for at most an hour", () => {
    const late = take(waiting, waitEnds - 1, run("a"));
    expect(statusAt(late, waitEnds + LEASE - 2)).toBe("waiting");
    expect(statusAt(late, waitEnds + LEASE - 1)).toBe("expired");
    let held = late;
    for (let now = waitEnds; now < waitEnds + 2 * HOUR; now += LEASE - 1) {
      held = renewLease(held, now, LEASE);
    }
    expect(filesEndAt(held)).toBe(waitEnds + HOUR);
    expect(statusAt(held, waitEnds + HOUR)).toBe("expired");
  });

  test("[S2] a renewal extends an active lease, but never an expired one", () => {
    const taken = take(waiting, 0, run("a"));
    expect(renewLease(taken, LEASE - 1, LEASE).lease?.endsAt).toBe(2 * LEASE - 1);
    expect(renewLease(taken, LEASE, LEASE)).toBe(taken);
    expect(renewLease(waiting, 5, LEASE)).toBe(waiting);
  });
});

describe("on a clock that jumped", () => {
  test("[Z6] commit and take judge by the proven time and stamp with the relay's", () => {
    const [now, confirmedNow] = [3 * DAY, HOUR - 1];
    expect(commit(announced, now, DAY, confirmedNow).waitEndsAt).toBe(now + DAY);
    expect(codeOf(() => commit(announced, now, DAY, HOUR))).toBe("PACKAGE_EXPIRED");
    expect(take(waiting, now, run("a"), confirmedNow).lease?.endsAt).toBe(now + LEASE);
    expect(codeOf(() => take(waiting, now, run("a"), waitEnds))).toBe("PACKAGE_EXPIRED");
  });

  test("[Z6] a lease taken before the proof is not shortened by it", () => {
    const now = 3 * DAY;
    const taken = take(waiting, now, run("a"), HOUR);
    expect(renewLease(taken, now + 1000, LEASE, now + 1000)).toBe(taken);
    expect(take(taken, now + 1000, run("a"), now + 1000)).toBe(taken);
    expect(statusAt(taken, now + LEASE - 1)).toBe("waiting");
  });

  test("[Z6] a lease holds for an hour longer than a new one would, and no millisecond more", () => {
    const ahead = take(waiting, 2 * HOUR, run("a"));
    expect(isTaken(ahead, HOUR, LEASE)).toBe(true);
    expect(isTaken(ahead, HOUR - 1, LEASE)).toBe(false);
    expect(isTaken(ahead, HOUR - 1)).toBe(true);
  });

  test("[Z6] a lease taken while the clock was ahead holds nothing once it is right", () => {
    const ahead = take(waiting, 2 * DAY, run("a"), HOUR);
    expect(isTaken(ahead, 2 * DAY, LEASE)).toBe(true);
    expect(isTaken(ahead, HOUR, LEASE)).toBe(false);
    expect(refuseWithdraw(ahead, HOUR, LEASE)).toBeUndefined();
    expect(take(ahead, HOUR, run("b")).lease).toEqual({ runId: "b", endsAt: HOUR + LEASE });
  });
});

describe("reported and withdrawn", () => {
  test("[S9] only a late report leads out of expired", () => {
    expect(statusAt(waiting, waitEnds + DAY)).toBe("expired");
    expect(statusAt(report(waiting, "imported"), waitEnds + DAY)).toBe("imported");
    expect(codeOf(() => report(announced, "imported"))).toBe("PACKAGE_NOT_COMMITTED");
  });

  test("[S6] can be withdrawn while uploading, waiting, expired or failed, but not while taken or imported", () => {
    const taken = take(waiting, 0, run("a"));
    expect(refuseWithdraw(announced, 0)).toBeUndefined();
    expect(refuseWithdraw(announced, HOUR)).toBeUndefined();
    expect(refuseWithdraw(waiting, 0)).toBeUndefined();
    expect(refuseWithdraw(report(waiting, "failed"), 0)).toBeUndefined();
    expect(refuseWithdraw(take(report(waiting, "failed"), 0, run("a")), 1)?.code).toBe(
      "PACKAGE_TAKEN",
    );
    expect(refuseWithdraw(taken, 1)?.code).toBe("PACKAGE_TAKEN");
    expect(refuseWithdraw(taken, LEASE)).toBeUndefined();
    expect(refuseWithdraw(report(waiting, "imported"), 0)?.code).toBe("PACKAGE_IMPORTED");
    expect(refuseWithdraw(report(waiting, "partial"), 0)?.code).toBe("PACKAGE_IMPORTED");
  });

  test("[S5] the status stays readable for its window after the files' window", () => {
    expect(readableUntil(announced, 7 * DAY)).toBe(HOUR + 7 * DAY);
    expect(readableUntil(waiting, 7 * DAY)).toBe(waitEnds + 7 * DAY);
  });
});
