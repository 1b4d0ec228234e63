import type { JsonObject } from "../core/json-object.ts";
import type { AnnounceAnswer, UploadAnswer } from "../core/protocol/public-api.ts";
import { ClientError } from "./client-error.ts";
import { inParallel } from "./in-parallel.ts";
import type { OutgoingPackage } from "./outgoing-package.ts";
import { type RetryTerms, retrying } from "./retry.ts";

/** What `send` may be told. */
export interface SendOptions {
  /**
   * Sending again with the same key goes on with the same package as long as its upload window is
   * open. Default: a new one.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  /** The package has its id, and its warnings. */
  readonly onAnnounced?: (answer: AnnounceAnswer) => void;
  /** Bytes of one file that have left; a repeated upload begins at 0 again. */
  readonly onProgress?: (file: string, sentBytes: number, sizeBytes: number) => void;
  /** A call failed and is made again after that wait. */
  readonly onRetry?: (error: ClientError, waitSeconds: number) => void;
}

/** The calls that sending is made of. */
export interface SendingCalls {
  announce(
    manifest: JsonObject,
    options: { idempotencyKey: string; signal?: AbortSignal },
  ): Promise<AnnounceAnswer>;
  upload(
    path: string,
    sound: Blob,
    options: { onProgress: (sentBytes: number) => void; signal?: AbortSignal },
  ): Promise<UploadAnswer>;
  commit(packageId: string, options: { signal?: AbortSignal }): Promise<void>;
}

const UPLOADS_AT_ONCE = 3;
const TRIES = 8;

/** Announces, uploads three files at a time, commits; each call is safe to repeat and is repeated. */
export async function sendPackage(
  calls: SendingCalls,
  { manifest, sounds }: OutgoingPackage,
  pace: Pick<RetryTerms, "sleep" | "random">,
  options: SendOptions,
): Promise<AnnounceAnswer> {
  const { signal, onRetry } = options;
  const terms: RetryTerms = { ...pace, tries: TRIES, signal, onRetry };
  const stop = signal === undefined ? {} : { signal };
  const idempotencyKey = options.idempotencyKey ?? randomKey();

  const announced = await retrying(terms, () =>
    calls.announce(manifest, { idempotencyKey, ...stop }),
  );
  options.onAnnounced?.(announced);
  const uploads = Object.entries(announced.upload).map(([file, path]) => {
    const sound = sounds.get(file);
    if (sound === undefined) throw new ClientError(`${file}: the bytes of this sound are missing.`);
    return { file, path, sound };
  });
  await inParallel(uploads, UPLOADS_AT_ONCE, async ({ file, path, sound }, othersFailed) => {
    const both = signal === undefined ? othersFailed : AbortSignal.any([signal, othersFailed]);
    await retrying({ ...terms, signal: both }, () =>
      calls.upload(path, sound, {
        onProgress: (sentBytes) => options.onProgress?.(file, sentBytes, sound.size),
        signal: both,
      }),
    );
  });
  await retrying(terms, () => calls.commit(announced.package_id, stop));
  return announced;
}

/** `crypto.randomUUID` is missing on pages that came over plain http. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
