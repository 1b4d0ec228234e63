import type { AnnounceAnswer, StatusAnswer } from "../../core/protocol/public-api.ts";
import { errorOfBlocked } from "../wire/answer-error.ts";
import { ClientError } from "../wire/client-error.ts";
import type { OutgoingPackage } from "./package-draft.ts";
import { isCommitted, type RelayCalls, type UploadState } from "./relay-calls.ts";
import { countBytes, type SendRun } from "./send-run.ts";
import { errorWith, soundNamesOf } from "./sound-names.ts";

const UPLOADS_AT_ONCE = 3;
/** A smaller file is sent whole, because asking where to continue takes longer than it can save. */
const RESUMED_FROM_BYTES = 1024 ** 2;
/** Statuses of a relay that resumes no uploads: it doesn't know the method or the version. */
const NOT_RESUMABLE = [400, 404, 405, 415, 501];
/** Statuses of a middlebox that lets some methods, or long bodies, not pass. */
const BLOCKED = [403, 405, 501];
const TOO_LARGE = 413;
/** The shortest part of a file. */
const MIN_PART_BYTES = 1024 ** 2;

/**
 * Uploads the sounds of an announced package, three at a time, each with retries.
 * @param isNew whether no file of it can have arrived before
 * @throws {ClientError} about the sound that failed first
 */
export async function uploadSounds(
  run: SendRun,
  { upload: paths, package_id: packageId }: AnnounceAnswer,
  { manifest, sounds }: OutgoingPackage,
  isNew: boolean,
): Promise<void> {
  const { calls, options } = run;
  const uploads = Object.entries(paths).map(([file, path]) => {
    const sound = sounds.get(file);
    if (sound === undefined) throw new ClientError(`${file}: the bytes of this sound are missing.`);
    return { file, path, sound };
  });
  const names = soundNamesOf(manifest);
  const sizes = new Map(uploads.map(({ file, sound }) => [file, sound.size]));
  const count = countBytes("uploading", sizes, options.onProgress);
  const known = isNew ? undefined : await run.retry(() => calls.status(packageId, options));
  await inParallel(uploads, UPLOADS_AT_ONCE, async ({ file, path, sound }, othersFailed) => {
    if (hasFile(known, file)) return count(file, sound.size);
    const signal =
      options.signal === undefined ? othersFailed : AbortSignal.any([options.signal, othersFailed]);
    const watch = {
      onProgress: (sentBytes: number): void => count(file, sentBytes),
      onReached: (): void => run.progressed(),
      signal,
    };
    const one = new SoundUpload(calls, path, sound);
    try {
      await run.retry((moved) => one.attempt(moved, watch), signal);
    } catch (error) {
      throw error instanceof ClientError ? errorWith(error, { file }, names) : error;
    }
  });
}

interface UploadWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (sentBytes: number) => void;
  /** Called when the relay has answered, before the bytes are sent. */
  readonly onReached: () => void;
}

/** True if a package has this file. A relay that knows only the public specification lists none. */
function hasFile(
  known: (Pick<StatusAnswer, "status"> & Partial<Pick<StatusAnswer, "files">>) | undefined,
  file: string,
): boolean {
  return known !== undefined && (isCommitted(known) || known.files?.[file] === "uploaded");
}

/** One file's upload. Resumes where an earlier attempt was interrupted if the relay supports it (rule U10). */
class SoundUpload {
  readonly #calls: RelayCalls;
  readonly #path: string;
  readonly #sound: Blob;
  #isResumable: boolean;
  #arrivedBytes = 0;
  /** The length of the body on its way, and how much of it was sent. */
  #bodyBytes = 0;
  #sentBytes = 0;
  /** How much of the body before it was sent when its connection was cut. */
  #cutAtBytes = 0;

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
        if (this.#isResumable && (await this.#resume(moved, watch))) return;
        this.#isResumable = false;
        return await this.#send(0, this.#sound.size, watch);
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        if (!(await this.#adapts(error, watch.signal))) throw error;
      }
    }
  }

  /**
   * Chooses shorter parts, or the whole file, if that may help.
   * @throws {ClientError} `UPLOAD_BLOCKED` if nothing of this passes, while other calls do
   */
  async #adapts(error: ClientError, signal: AbortSignal): Promise<boolean> {
    const { status, code, foreignStatus = 0 } = error;
    const { relay } = this.#calls;
    const refusedWith = status ?? (relay.isMarked ? 0 : foreignStatus);
    if (this.#isResumable && NOT_RESUMABLE.includes(refusedWith)) {
      this.#isResumable = false;
      return true;
    }
    if (status === undefined && code === undefined) {
      const isSame = Math.abs(this.#sentBytes - this.#cutAtBytes) < MIN_PART_BYTES / 2;
      this.#cutAtBytes = this.#sentBytes;
      if (isSame) this.#halve();
    }
    const isTooLarge = foreignStatus === TOO_LARGE;
    if (isTooLarge && this.#isResumable && this.#halve()) return true;
    if (!isTooLarge && !BLOCKED.includes(foreignStatus)) return false;
    await this.#calls.me({ signal });
    const method = this.#isResumable ? "PATCH" : "PUT";
    if (isTooLarge || !this.#isResumable) throw errorOfBlocked(method, foreignStatus);
    this.#isResumable = false;
    return true;
  }

  /** Makes the parts of all files half as long as the body that didn't pass; false if that is too short already. */
  #halve(): boolean {
    const { relay } = this.#calls;
    if (this.#bodyBytes <= MIN_PART_BYTES) return false;
    const half = Math.max(MIN_PART_BYTES, Math.ceil(this.#bodyBytes / 2));
    relay.maxPartBytes = Math.min(relay.maxPartBytes, half);
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
      if (state.isComplete || offset === size) return true;
      const end = Math.min(size, offset + this.#calls.relay.maxPartBytes);
      await this.#send(offset, end, watch);
      offset = end;
    }
  }

  /** Sends the bytes from `start` on: an append that ends the file at `end` if that is its end, or the whole file. */
  async #send(start: number, end: number, { signal, onProgress }: UploadWatch): Promise<void> {
    this.#bodyBytes = end - start;
    this.#sentBytes = 0;
    const watch = {
      signal,
      onProgress: (sentBytes: number): void => {
        this.#sentBytes = sentBytes;
        onProgress(start + sentBytes);
      },
    };
    const part = this.#sound.slice(start, end);
    if (!this.#isResumable) await this.#calls.upload(this.#path, this.#sound, watch);
    else {
      const isLast = end === this.#sound.size;
      await this.#calls.append(this.#path, part, { offset: start, isLast, ...watch });
    }
  }

  /** Asks how much has arrived. A refused HEAD gives no reason; the append that follows gets it, or the offset. */
  async #state(signal: AbortSignal): Promise<UploadState | undefined> {
    try {
      return await this.#calls.uploadState(this.#path, { signal });
    } catch (error) {
      if (!(error instanceof ClientError && error.status === 409)) throw error;
      return { offset: this.#arrivedBytes, isComplete: false };
    }
  }
}

/**
 * Runs `act` for every item with a concurrency limit. A failure aborts the signal that every act gets; the first
 * failure is thrown once all running acts have ended.
 */
async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  act: (item: Item, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const failed = new AbortController();
  const work = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      if (failed.signal.aborted) return;
      try {
        await act(item, failed.signal);
      } catch (error) {
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  if (failed.signal.aborted) throw failed.signal.reason;
}
