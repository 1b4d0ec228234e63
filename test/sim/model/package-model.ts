// The life of a package as docs/rules/states.md tells it, in the fewest words. It shares no code with the relay.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LEASE = 300_000;

export type Outcome = "imported" | "partial" | "failed";
export type Status = "uploading" | "waiting" | "expired" | Outcome;

/** An act on a package, with the data that is sent along. */
export type Act =
  | { readonly call: "upload" | "download"; readonly file: string }
  | { readonly call: "commit" | "withdraw" }
  | { readonly call: "take"; readonly run: string; readonly force: boolean }
  | { readonly call: "report"; readonly outcome: Outcome };

/** The expected state of a package after all acts on it. Times are milliseconds since 1970. */
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
    return Object.assign(new PackageModel(this.createdAt, this.files), this);
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

  /** Does it, if it is allowed now. Returns the HTTP status. */
  apply(act: Act, now: number): number {
    if (!this.isReadable(now)) return 404;
    const isCommitted = this.committedAt !== undefined;
    switch (act.call) {
      case "upload":
        if (this.status(now) !== "uploading") return 409;
        this.uploaded = new Set([...this.uploaded, act.file]);
        return 200;
      case "commit":
        if (this.status(now) === "expired") return 409;
        if (this.status(now) !== "uploading") return 200;
        if (this.uploaded.size < this.files.length) return 409;
        this.committedAt = now;
        return 200;
      case "take":
        return isCommitted && !this.isOver(now) ? this.#take(act.run, act.force, now) : 409;
      case "report":
        if (!isCommitted) return 409;
        this.outcome = act.outcome;
        this.lease = undefined;
        return 200;
      case "withdraw":
        if (this.isTaken(now) || ["imported", "partial"].includes(this.outcome ?? "")) return 409;
        this.isGone = true;
        return 200;
      case "download":
        return isCommitted && !this.isOver(now) ? 200 : 409;
    }
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

  #take(run: string, force: boolean, now: number): number {
    const isOwn = this.lease?.run === run;
    if (this.isTaken(now) && !isOwn && !force) return 409;
    const endsAt = Math.min(now + LEASE, this.windowEndsAt + HOUR);
    const isLonger = this.isTaken(now) && isOwn && (this.lease?.endsAt ?? 0) >= endsAt;
    if (!isLonger) this.lease = { run, endsAt };
    return 200;
  }
}
