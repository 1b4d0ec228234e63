import {
  formatUploadComplete,
  parseUploadComplete,
  parseUploadOffset,
  PARTIAL_UPLOAD_TYPE,
  UPLOAD_HEADERS,
  UPLOAD_INTEROP_VERSION,
} from "../../core/protocol/upload-draft.ts";
import type { ClientError } from "../wire/client-error.ts";
import { APPEND_STALL_MS } from "../wire/upload-transport.ts";
import type { RelayCalls } from "./relay-calls.ts";

/** A smaller file is sent whole, because asking where to continue takes longer than it can save. */
const RESUMED_FROM_BYTES = 1024 ** 2;
/** Statuses of a relay that resumes no uploads: it doesn't know the method or the version. */
const NOT_RESUMABLE = new Set([400, 404, 405, 415, 501]);
/** Statuses of a middlebox that a method doesn't pass. */
const BLOCKED = new Set([403, 405, 501]);
const TOO_LARGE = 413;
/** The shortest part of a file that a middlebox must let pass. */
const MIN_PART_BYTES = 1024 ** 2;

/** The part of a file that a relay has. */
interface UploadState {
  /** Number of bytes received so far. */
  readonly offset: number;
  /** True if the file is complete and was accepted. */
  readonly isComplete: boolean;
}

interface UploadWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
  /** Called when the relay has answered, before the bytes are sent. */
  readonly onReached: () => void;
}

/**
 * One file's upload. Resumes where an earlier attempt was interrupted if the relay supports it (rule U10), in parts that
 * pass on the way to the relay (rule W42).
 */
export class SoundUpload {
  readonly #calls: RelayCalls;
  readonly #path: string;
  readonly #sound: Blob;
  #isResumable: boolean;
  #arrivedBytes = 0;
  /** The length of this attempt's last body; 0 before there is one. */
  #bodyBytes = 0;
  /** Number of bodies in a row that were cut. */
  #cuts = 0;

  constructor(calls: RelayCalls, path: string, sound: Blob) {
    this.#calls = calls;
    this.#path = path;
    this.#sound = sound;
    this.#isResumable = sound.size >= RESUMED_FROM_BYTES;
  }

  /**
   * Makes one attempt.
   * @param moved called when more has arrived than before
   * @throws {ClientError}
   */
  async attempt(moved: () => void, watch: UploadWatch): Promise<void> {
    for (;;) {
      try {
        this.#bodyBytes = 0;
        if (this.#isResumable && (await this.#resume(moved, watch))) return;
        this.#isResumable = false;
        await this.#send(0, this.#sound.size, watch);
        return;
      } catch (error) {
        if (!isClientError(error) || !(await this.#adapts(error, watch.signal))) throw error;
      }
    }
  }

  /**
   * Adapts to what let the attempt fail; false if only waiting may help.
   * @throws {ClientError} `UPLOAD_BLOCKED` if other calls reach the relay, but no upload does
   */
  async #adapts(error: ClientError, signal: AbortSignal): Promise<boolean> {
    const { status, code, foreignStatus = 0 } = error;
    const { history } = this.#calls.relay;
    // A plain relay's HEAD has no body, and so nothing that shows whose it is.
    const refusedWith = status ?? (history.isMarked ? 0 : foreignStatus);
    if (this.#isResumable && NOT_RESUMABLE.has(refusedWith)) {
      this.#isResumable = false;
      return true;
    }
    const isTooLarge = foreignStatus === TOO_LARGE;
    if (isTooLarge && this.#isResumable && this.#halve()) return true;
    const isCut = (code === "NO_ANSWER" || code === "TIMEOUT") && this.#bodyBytes > 0;
    if (isCut) this.#cuts += 1;
    if (isCut && this.#cuts % 2 === 0) this.#halve();
    if (!isTooLarge && !BLOCKED.has(foreignStatus)) return false;
    await this.#calls.me({ signal });
    if (this.#isResumable && !isTooLarge) {
      this.#isResumable = false;
      return true;
    }
    const call = `${this.#isResumable ? "PATCH" : "PUT"}, ${foreignStatus}`;
    const sentence = `Something between this computer and the relay refuses uploads (${call}).`;
    throw error.with(sentence, { code: "UPLOAD_BLOCKED" });
  }

  /** Makes the parts of all files half as long as what doesn't pass; false if that is short already. */
  #halve(): boolean {
    if (this.#bodyBytes <= MIN_PART_BYTES) return false;
    const { history } = this.#calls.relay;
    const half = Math.max(MIN_PART_BYTES, Math.ceil(this.#bodyBytes / 2));
    history.maxPartBytes = Math.min(history.maxPartBytes, half);
    return true;
  }

  /** Sends what is missing; false if the relay can't resume this upload. */
  async #resume(moved: () => void, watch: UploadWatch): Promise<boolean> {
    const { size } = this.#sound;
    const state = await this.#state(watch.signal);
    if (state === undefined || state.offset > size) return false;
    watch.onReached();
    for (let { offset } = state; ;) {
      if (offset > this.#arrivedBytes) moved();
      this.#arrivedBytes = offset;
      watch.onProgress(offset);
      if (state.isComplete) return true;
      const end = Math.min(size, offset + this.#calls.relay.history.maxPartBytes);
      await this.#send(offset, end, watch);
      if (end === size) return true;
      offset = end;
    }
  }

  /** Sends some bytes: as an append, or the whole file. */
  async #send(start: number, end: number, { signal, onProgress }: UploadWatch): Promise<void> {
    this.#bodyBytes = end - start;
    const watch = {
      signal,
      onProgress: (sentBytes: number): void => onProgress(start + sentBytes),
    };
    if (!this.#isResumable) {
      await this.#calls.upload(this.#path, this.#sound, watch);
      return;
    }
    const isLast = end === this.#sound.size;
    const request = {
      method: "PATCH",
      sound: this.#sound.slice(start, end),
      headers: appendHeaders(start, isLast),
      stallMs: APPEND_STALL_MS,
    } as const;
    await this.#calls.sendBytes(this.#path, request, watch);
    this.#cuts = 0;
  }

  /**
   * Asks how much has arrived; undefined from a relay that speaks another version. A refused HEAD gives no reason; the
   * append that follows gets it, or the offset.
   * @throws {ClientError} 400, 404 or 405 from a relay that resumes no uploads
   */
  async #state(signal: AbortSignal): Promise<UploadState | undefined> {
    const call = { method: "HEAD", path: this.#path, headers: STATE_HEADERS, signal } as const;
    try {
      return readUploadState(await this.#calls.headersOf(call));
    } catch (error) {
      if (!(isClientError(error) && error.status === 409)) throw error;
      return { offset: this.#arrivedBytes, isComplete: false };
    }
  }
}

/** Goes by the name, because a part has its own copy of the class. */
export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && error.name === "ClientError";
}

/** The request headers of `HEAD`. */
const STATE_HEADERS: Readonly<Record<string, string>> = {
  [UPLOAD_HEADERS.interop]: String(UPLOAD_INTEROP_VERSION),
};

/** Returns the request headers of an append. */
function appendHeaders(offset: number, isLast: boolean): Readonly<Record<string, string>> {
  return {
    ...STATE_HEADERS,
    "Content-Type": PARTIAL_UPLOAD_TYPE,
    [UPLOAD_HEADERS.offset]: String(offset),
    [UPLOAD_HEADERS.complete]: formatUploadComplete(isLast),
  };
}

/** Reads the answer to `HEAD`; undefined from a relay that speaks another version, or none. */
function readUploadState(headers: Headers): UploadState | undefined {
  const valueOf = (name: string): string | undefined => headers.get(name) ?? undefined;
  const offset = parseUploadOffset(valueOf(UPLOAD_HEADERS.offset));
  const isComplete = parseUploadComplete(valueOf(UPLOAD_HEADERS.complete));
  return offset === undefined || isComplete === undefined ? undefined : { offset, isComplete };
}
