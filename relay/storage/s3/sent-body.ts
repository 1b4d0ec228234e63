import { Readable } from "node:stream";
import { late } from "./s3-calls.ts";

const BUFFER_BYTES = 64 * 1024;

interface SentBodyOptions {
  /** Called when bytes are on their way. */
  readonly onTaken: (bytes: number) => void;
  /** Gives up when nothing is taken for so long though there is something, or when the answer takes so long. */
  readonly idleMs: number;
}

/** The body of a call, whose pieces come one by one. */
export class SentBody extends Readable {
  /** Aborts when the service is silent, with the reason. */
  readonly silent = new AbortController();
  readonly #onTaken: (bytes: number) => void;
  readonly #idleMs: number;
  #pieces: Uint8Array[] = [];
  #isAsked = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor({ onTaken, idleMs }: SentBodyOptions) {
    super({ highWaterMark: BUFFER_BYTES });
    this.#onTaken = onTaken;
    this.#idleMs = idleMs;
  }

  offer(piece: Uint8Array): void {
    if (piece.byteLength === 0 || this.destroyed) return;
    this.#pieces.push(piece);
    this.#watch();
    if (this.#isAsked) this._read();
  }

  /** No more pieces come; the answer is due. */
  over(): void {
    this.#isOver = true;
    this.#watch();
    if (this.#isAsked) this._read();
  }

  /** The call has ended, however it did. */
  settle(): void {
    clearTimeout(this.#timer);
    this.#pieces = [];
    this.destroy();
  }

  override _read(): void {
    this.#isAsked = false;
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.push(piece);
      this.#watch();
      this.#onTaken(piece.byteLength);
    } else if (this.#isOver) {
      this.push(null);
    } else {
      this.#isAsked = true;
      clearTimeout(this.#timer);
    }
  }

  #watch(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.silent.abort(late("An answer")), this.#idleMs);
  }
}
