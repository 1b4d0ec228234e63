// The life of a package as docs/rules/states.md tells it, in the fewest words. It shares no code with the relay.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEASE = 300_000;

export type Outcome = "imported" | "partial" | "failed";
export type Status = "uploading" | "waiting" | "expired" | Outcome;

/** An HTTP status. */
type Answer = number;

/** What a package must be after all that was done to it. Times are milliseconds since 1970. */
export class PackageModel {
  uploaded: ReadonlySet<string> = new Set();
  committedAt: number | undefined;
  lease: { readonly run: string; readonly endsAt: number } | undefined;
  outcome: Outcome | undefined;
  /** Its files are deleted. */
  isEmpty = false;
  /** Nobody can find it any more. */
  isGone = false;
  readonly createdAt: number;
  readonly files: readonly string[];

  constructor(createdAt: number, files: readonly string[]) {
    this.createdAt = createdAt;
    this.files = files;
  }

  copy(): PackageModel {
    const copy = new PackageModel(this.createdAt, this.files);
    copy.become(this);
    return copy;
  }

  /** Takes another history of the same package. */
  become({ uploaded, committedAt, lease, outcome, isEmpty, isGone }: PackageModel): void {
    Object.assign(this, { uploaded, committedAt, lease, outcome, isEmpty, isGone });
  }

  get windowEndsAt(): number {
    return this.committedAt === undefined ? this.createdAt + HOUR : this.committedAt + DAY;
  }

  isOver(now: number): boolean {
    return this.isEmpty || now >= Math.max(this.windowEndsAt, this.lease?.endsAt ?? 0);
  }

  isReadable(now: number): boolean {
    return !this.isGone && now < this.windowEndsAt + 7 * DAY;
  }

  /** A lease from a clock that was ahead holds nothing. */
  isTaken(now: number): boolean {
    const leftMs = (this.lease?.endsAt ?? 0) - now;
    return leftMs > 0 && leftMs <= LEASE + HOUR;
  }

  status(now: number): Status {
    if (this.outcome !== undefined) return this.outcome;
    if (this.isOver(now)) return "expired";
    return this.committedAt === undefined ? "uploading" : "waiting";
  }

  isImportable(now: number): boolean {
    return !this.isGone && this.committedAt !== undefined && !this.isOver(now);
  }

  upload(file: string, now: number): Answer {
    if (!this.isReadable(now)) return 404;
    if (this.status(now) !== "uploading") return 409;
    this.uploaded = new Set([...this.uploaded, file]);
    return 200;
  }

  commit(now: number): Answer {
    if (!this.isReadable(now)) return 404;
    if (this.status(now) === "expired") return 409;
    if (this.status(now) !== "uploading") return 200;
    if (this.uploaded.size < this.files.length) return 409;
    this.committedAt = now;
    return 200;
  }

  take(run: string, force: boolean, now: number): Answer {
    if (!this.isReadable(now)) return 404;
    if (this.committedAt === undefined || this.isOver(now)) return 409;
    if (this.isTaken(now) && this.lease?.run !== run && !force) return 409;
    const endsAt = Math.min(now + LEASE, this.windowEndsAt + HOUR);
    const isLonger = this.isTaken(now) && this.lease?.run === run && this.lease.endsAt >= endsAt;
    if (!isLonger) this.lease = { run, endsAt };
    return 200;
  }

  report(outcome: Outcome, now: number): Answer {
    if (!this.isReadable(now)) return 404;
    if (this.committedAt === undefined) return 409;
    this.outcome = outcome;
    this.lease = undefined;
    return 200;
  }

  withdraw(now: number): Answer {
    if (!this.isReadable(now)) return 404;
    if (this.isTaken(now) || this.outcome === "imported" || this.outcome === "partial") return 409;
    this.isGone = true;
    return 200;
  }

  download(now: number): Answer {
    if (!this.isReadable(now)) return 404;
    return this.committedAt !== undefined && !this.isOver(now) ? 200 : 409;
  }

  /** Its app is unpaired: what it was uploading goes. */
  unpair(now: number): void {
    if (this.status(now) === "uploading") this.isGone = true;
  }

  sweep(now: number): void {
    if (!this.isOver(now)) return;
    this.isEmpty = true;
    if (!this.isReadable(now)) this.isGone = true;
  }
}
