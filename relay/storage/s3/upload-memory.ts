/** Number of bytes that all uploads together may hold in memory before the service has them. */
const POOL_BYTES = 64 * 1024 * 1024;
const SMALLEST_SHARE_BYTES = 64 * 1024;
/** Number of shares of an upload: one fills while another is sent. */
const SHARES_EACH = 2;

/** Memory that all uploads share: few have large shares, many have small ones. */
export class UploadMemory {
  readonly #members = new Set<UploadShare>();
  #heldBytes = 0;

  /** Number of bytes that all uploads hold now. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  get isFull(): boolean {
    return this.#heldBytes > POOL_BYTES;
  }

  /** Number of bytes that one upload may hold before they are sent. */
  get shareBytes(): number {
    const share = POOL_BYTES / (SHARES_EACH * Math.max(1, this.#members.size));
    return Math.max(SMALLEST_SHARE_BYTES, Math.floor(share));
  }

  /** Adds an upload. @param onLess called when the share became smaller: bytes above it should be sent */
  enter(onLess: () => void): UploadShare {
    const member = new UploadShare(this, onLess, {
      add: (bytes) => {
        this.#heldBytes += bytes;
        if (bytes < 0) for (const each of this.#members) each.wake();
      },
      leave: () => this.#members.delete(member),
    });
    for (const each of this.#members) each.onLess();
    this.#members.add(member);
    return member;
  }
}

/** One upload's part of the memory. */
export class UploadShare {
  readonly onLess: () => void;
  readonly #memory: UploadMemory;
  readonly #pool: { readonly add: (bytes: number) => void; readonly leave: () => void };
  #heldBytes = 0;
  #waiting: (() => void)[] = [];
  #hasLeft = false;

  constructor(
    memory: UploadMemory,
    onLess: () => void,
    pool: { readonly add: (bytes: number) => void; readonly leave: () => void },
  ) {
    this.#memory = memory;
    this.onLess = onLess;
    this.#pool = pool;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Counts received bytes. */
  take(bytes: number): void {
    if (this.#hasLeft) return;
    this.#heldBytes += bytes;
    this.#pool.add(bytes);
  }

  /** Stops counting bytes that are sent. */
  give(bytes: number): void {
    if (this.#hasLeft) return;
    this.#heldBytes -= bytes;
    this.#pool.add(-bytes);
  }

  /** Returns undefined if more may come, or a promise that resolves when it may, or at the upload's end. */
  room(mostBytes: number): Promise<void> | undefined {
    if (this.#hasRoom(mostBytes)) return undefined;
    return this.#whenRoom(mostBytes);
  }

  /** Gives back everything. */
  leave(): void {
    if (this.#hasLeft) return;
    this.give(this.#heldBytes);
    this.#hasLeft = true;
    this.#pool.leave();
    this.wake();
  }

  wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  async #whenRoom(mostBytes: number): Promise<void> {
    while (!this.#hasRoom(mostBytes)) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #hasRoom(mostBytes: number): boolean {
    if (this.#hasLeft) return true;
    return this.#heldBytes <= mostBytes && !this.#memory.isFull;
  }
}
