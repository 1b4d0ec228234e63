import type { JsonObject } from "../core/text/json-object.ts";
import type { AnnounceAnswer, StatusAnswer, UploadAnswer } from "../core/protocol/public-api.ts";
import { ClientError } from "./client-error.ts";
import { countBytes } from "./count-bytes.ts";
import { inParallel } from "./in-parallel.ts";
import type { OutgoingPackage } from "./outgoing-package.ts";
import { randomId } from "./random-id.ts";
import { type RetryOptions, retrying } from "./retry.ts";
import type { SendOptions, SentPackage } from "./send-options.ts";

/** The calls that sending uses. */
export interface SendingCalls {
  announce(
    manifest: JsonObject,
    options: Stoppable & { idempotencyKey: string },
  ): Promise<AnnounceAnswer>;
  status(packageId: string, options: Stoppable): Promise<StatusAnswer>;
  upload(
    path: string,
    sound: Blob,
    options: Stoppable & { onProgress: (sentBytes: number) => void },
  ): Promise<UploadAnswer>;
  commit(packageId: string, options: Stoppable): Promise<void>;
}

interface Stoppable {
  readonly signal?: AbortSignal;
}

const UPLOADS_AT_ONCE = 3;
const TRIES = 8;

/**
 * Announces, uploads three files at a time, commits. Each call is idempotent and retried. With a key used
 * before, uploads only what is missing.
 */
export async function sendPackage(
  calls: SendingCalls,
  { manifest, sounds }: OutgoingPackage,
  pace: Pick<RetryOptions, "sleep" | "random">,
  options: SendOptions,
): Promise<SentPackage> {
  const { signal, onRetry } = options;
  const retry: RetryOptions = { ...pace, tries: TRIES, signal, onRetry };
  const stop = signal === undefined ? {} : { signal };
  const idempotencyKey = options.idempotencyKey ?? randomId();

  const announced = await retrying(retry, () =>
    calls.announce(manifest, { idempotencyKey, ...stop }),
  );
  options.onAnnounced?.(announced);
  const { package_id: packageId, warnings } = announced;
  const uploads = uploadsOf(announced, sounds);
  const sizes = new Map(uploads.map(({ file, sound }) => [file, sound.size]));
  const count = countBytes("uploading", sizes, options.onProgress);
  // Only with the app's own key can something be there already.
  const isNew = options.idempotencyKey === undefined;
  const known = isNew ? undefined : await retrying(retry, () => calls.status(packageId, stop));
  await inParallel(uploads, UPLOADS_AT_ONCE, async ({ file, path, sound }, othersFailed) => {
    if (known?.files[file] === "uploaded") return count(file, sound.size);
    const both = signal === undefined ? othersFailed : AbortSignal.any([signal, othersFailed]);
    await retrying({ ...retry, signal: both }, () =>
      calls.upload(path, sound, {
        onProgress: (sentBytes) => count(file, sentBytes),
        signal: both,
      }),
    );
  });
  await retrying(retry, () => calls.commit(packageId, stop));
  return { packageId, warnings };
}

interface Upload {
  readonly file: string;
  readonly path: string;
  readonly sound: Blob;
}

/** @throws {ClientError} if a sound of the manifest has no bytes */
function uploadsOf({ upload }: AnnounceAnswer, sounds: ReadonlyMap<string, Blob>): Upload[] {
  return Object.entries(upload).map(([file, path]) => {
    const sound = sounds.get(file);
    if (sound === undefined) throw new ClientError(`${file}: the bytes of this sound are missing.`);
    return { file, path, sound };
  });
}
