import type { UploadAnswer } from "../../core/protocol/public-api.ts";
import { ClientError } from "../wire/client-error.ts";
import { isNotResumable, type UploadState } from "./upload-state.ts";

interface Watch {
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
}

interface AttemptWatch extends Watch {
  /** Called when the relay has answered, before the bytes are sent. */
  readonly onReached: () => void;
}

/** The calls that uploading a file uses. */
export interface UploadCalls {
  upload(path: string, sound: Blob, watch: Watch): Promise<UploadAnswer>;
  uploadState(path: string, watch: Pick<Watch, "signal">): Promise<UploadState | undefined>;
  append(
    path: string,
    rest: Blob,
    watch: Watch & { readonly offset: number },
  ): Promise<UploadAnswer>;
}

/** A smaller file is sent whole: asking first takes longer than what it can spare. */
const RESUMED_FROM_BYTES = 1024 ** 2;

/** Uploads one file, from where an attempt before was interrupted if the relay can resume uploads (rule U10). */
export class SoundUpload {
  readonly #calls: UploadCalls;
  readonly #path: string;
  readonly #sound: Blob;
  #isResumable: boolean;
  #arrivedBytes = 0;

  constructor(calls: UploadCalls, path: string, sound: Blob) {
    this.#calls = calls;
    this.#path = path;
    this.#sound = sound;
    this.#isResumable = sound.size >= RESUMED_FROM_BYTES;
  }

  /**
   * One attempt.
   * @param moved called when more has arrived than before
   * @throws {ClientError}
   */
  async attempt(moved: () => void, { onReached, ...watch }: AttemptWatch): Promise<void> {
    if (this.#isResumable) {
      try {
        if (await this.#resume(moved, { onReached, ...watch })) return;
      } catch (error) {
        if (!isNotResumable(error)) throw error;
      }
      this.#isResumable = false;
    }
    await this.#calls.upload(this.#path, this.#sound, watch);
  }

  /** False if the relay can't resume this upload. */
  async #resume(moved: () => void, watch: AttemptWatch): Promise<boolean> {
    const { signal, onProgress, onReached } = watch;
    const { size } = this.#sound;
    const state = await this.#state(signal);
    if (state === undefined || state.offset > size) return false;
    onReached();
    const { offset } = state;
    if (offset > this.#arrivedBytes) moved();
    this.#arrivedBytes = offset;
    onProgress(offset);
    if (state.isComplete) return true;
    await this.#calls.append(this.#path, this.#sound.slice(offset), {
      offset,
      signal,
      onProgress: (sentBytes) => onProgress(offset + sentBytes),
    });
    return true;
  }

  /** An answer to HEAD doesn't say why it refuses. That to an append does, or tells the right offset. */
  async #state(signal: AbortSignal): Promise<UploadState | undefined> {
    try {
      return await this.#calls.uploadState(this.#path, { signal });
    } catch (error) {
      if (!(error instanceof ClientError && error.status === 409)) throw error;
      return { offset: this.#arrivedBytes, isComplete: false };
    }
  }
}
