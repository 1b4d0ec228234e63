import type { AnnounceAnswer } from "../../core/protocol/public-api.ts";
import { ClientError } from "../wire/client-error.ts";
import type { OutgoingPackage } from "./package-draft.ts";
import type { RelayCalls, UploadState } from "./relay-calls.ts";
import { countBytes, type SendRun } from "./send-run.ts";
import { errorWith, soundNamesOf } from "./sound-names.ts";

const UPLOADS_AT_ONCE = 3;
/** A smaller file is sent whole, because asking where to continue takes longer than it can save. */
const RESUMED_FROM_BYTES = 1024 ** 2;
/** Statuses of a relay that resumes no uploads: it doesn't know the method or the version. */
const NOT_RESUMABLE = new Set<number | undefined>([400, 404, 405, 415, 501]);

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
    if (known?.files[file] === "uploaded") return count(file, sound.size);
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

/** One file's upload. Resumes where an earlier attempt was interrupted if the relay supports it (rule U10). */
class SoundUpload {
  readonly #calls: RelayCalls;
  readonly #path: string;
  readonly #sound: Blob;
  #isResumable: boolean;
  #arrivedBytes = 0;

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
    if (this.#isResumable) {
      try {
        if (await this.#resume(moved, watch)) return;
      } catch (error) {
        if (!(error instanceof ClientError && NOT_RESUMABLE.has(error.status))) throw error;
      }
      this.#isResumable = false;
    }
    await this.#calls.upload(this.#path, this.#sound, watch);
  }

  /** Sends what is missing; false if the relay can't resume this upload. */
  async #resume(
    moved: () => void,
    { signal, onProgress, onReached }: UploadWatch,
  ): Promise<boolean> {
    const state = await this.#state(signal);
    if (state === undefined || state.offset > this.#sound.size) return false;
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
