import type { AnnounceAnswer, StatusAnswer } from "../../core/protocol/public-api.ts";
import type { OutgoingPackage } from "./package-draft.ts";
import { isCommitted } from "./relay-calls.ts";
import { countBytes, type SendRun } from "./send-run.ts";
import { errorWith, soundNamesOf } from "./sound-names.ts";
import { isClientError, SoundUpload } from "./sound-upload.ts";

const UPLOADS_AT_ONCE = 3;

/**
 * Uploads the sounds of an announced package that have bytes, three at a time, each with retries.
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
  const uploads = Object.entries(paths).flatMap(([file, path]) => {
    const sound = sounds.get(file);
    return sound === undefined ? [] : [{ file, path, sound }];
  });
  const names = soundNamesOf(manifest);
  const sizes = new Map(uploads.map(({ file, sound }) => [file, sound.size]));
  const count = countBytes("uploading", names, sizes, options.onProgress);
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
      throw isClientError(error) ? errorWith(error, { file }, names) : error;
    }
  });
}

/** True if a package has this file. A relay that knows only the public specification lists none. */
function hasFile(
  known: (Pick<StatusAnswer, "status"> & Partial<Pick<StatusAnswer, "files">>) | undefined,
  file: string,
): boolean {
  return known !== undefined && (isCommitted(known) || known.files?.[file] === "uploaded");
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
