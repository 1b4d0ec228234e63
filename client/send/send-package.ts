import type { JsonObject } from "../../core/text/json-object.ts";
import type { AnnounceAnswer, StatusAnswer } from "../../core/protocol/public-api.ts";
import { ClientError } from "../wire/client-error.ts";
import { countBytes } from "./count-bytes.ts";
import { inParallel } from "../wire/in-parallel.ts";
import { orAbort } from "../wire/or-abort.ts";
import type { OutgoingPackage } from "./outgoing-package.ts";
import type { Persistence } from "../browser/persistence.ts";
import type { Stoppable } from "../wire/relay-calls.ts";
import type { SendOptions, SentPackage } from "./send-options.ts";
import { errorWith, type SoundName, soundNamesOf } from "./sound-names.ts";
import { type UploadCalls, SoundUpload } from "./upload-sound.ts";

/** The calls that sending uses. */
export interface SendingCalls extends UploadCalls {
  announce(manifest: JsonObject, options: { idempotencyKey: string }): Promise<AnnounceAnswer>;
  status(packageId: string, options: Stoppable): Promise<StatusAnswer>;
  commit(packageId: string, options: Stoppable): Promise<void>;
}

/** A package on its way. Who began it reads what has become of it. */
export class PackageOnItsWay {
  /** undefined until it is announced. */
  packageId: string | undefined;
  /** Whether the relay may have it whole. */
  isCommitting = false;
  readonly #calls: SendingCalls;
  readonly #persistence: Persistence;
  readonly #options: SendOptions;

  constructor(calls: SendingCalls, persistence: Persistence, options: SendOptions) {
    this.#calls = calls;
    this.#persistence = persistence;
    this.#options = options;
  }

  /**
   * Announces, uploads three files at a time, commits. Each call is idempotent and retried. A package whose
   * upload window ends meanwhile is announced again.
   * @param isNew whether no file of it can have arrived before
   * @param onLate gets a package that was announced after the signal aborted
   */
  async send(
    outgoing: OutgoingPackage,
    idempotencyKey: string,
    { isNew, onLate }: { isNew: boolean; onLate: (announced: AnnounceAnswer) => void },
  ): Promise<SentPackage> {
    const { states } = this.#persistence;
    for (let round = 1; ; round += 1) {
      states.enter("uploading");
      this.isCommitting = false;
      const announced = await this.#announce(outgoing.manifest, idempotencyKey, onLate);
      const { package_id: packageId, warnings } = announced;
      try {
        await this.#upload(announced, outgoing, isNew && round === 1);
        states.enter("committing");
        this.#options.signal?.throwIfAborted();
        this.isCommitting = true;
        await this.#persistence.call(() => this.#calls.commit(packageId, this.#options));
        return { packageId, warnings };
      } catch (error) {
        const isOver = error instanceof ClientError && error.code === "PACKAGE_EXPIRED";
        if (!isOver || round === MAX_ROUNDS) throw error;
      }
    }
  }

  async #announce(
    manifest: JsonObject,
    idempotencyKey: string,
    onLate: (announced: AnnounceAnswer) => void,
  ): Promise<AnnounceAnswer> {
    const { signal, onAnnounced } = this.#options;
    const announced = await this.#persistence.call(() =>
      orAbort(this.#calls.announce(manifest, { idempotencyKey }), signal, onLate),
    );
    this.packageId = announced.package_id;
    onAnnounced?.(announced);
    return announced;
  }

  async #upload(
    { upload, package_id: packageId }: AnnounceAnswer,
    { manifest, sounds }: OutgoingPackage,
    isNew: boolean,
  ): Promise<void> {
    const uploads = uploadsOf(upload, sounds);
    const names = soundNamesOf(manifest);
    const sizes = new Map(uploads.map(({ file, sound }) => [file, sound.size]));
    const count = countBytes("uploading", sizes, this.#options.onProgress);
    const known = isNew
      ? undefined
      : await this.#persistence.call(() => this.#calls.status(packageId, this.#options));
    await inParallel(uploads, UPLOADS_AT_ONCE, async ({ file, path, sound }, othersFailed) => {
      if (known?.files[file] === "uploaded") return count(file, sound.size);
      const { signal } = this.#options;
      const both = signal === undefined ? othersFailed : AbortSignal.any([signal, othersFailed]);
      const watch = {
        onProgress: (sentBytes: number): void => count(file, sentBytes),
        onReached: (): void => this.#persistence.states.works(),
        signal: both,
      };
      const one = new SoundUpload(this.#calls, path, sound);
      await this.#persistence
        .call((moved) => one.attempt(moved, watch), both)
        .catch((error: unknown) => rethrowAbout(error, names, file));
    });
  }
}

const UPLOADS_AT_ONCE = 3;
/** The upload windows of a day. */
const MAX_ROUNDS = 24;

interface Upload {
  readonly file: string;
  readonly path: string;
  readonly sound: Blob;
}

/** @throws {ClientError} if a sound of the manifest has no bytes */
function uploadsOf(paths: AnnounceAnswer["upload"], sounds: ReadonlyMap<string, Blob>): Upload[] {
  return Object.entries(paths).map(([file, path]) => {
    const sound = sounds.get(file);
    if (sound === undefined) throw new ClientError(`${file}: the bytes of this sound are missing.`);
    return { file, path, sound };
  });
}

function rethrowAbout(error: unknown, names: ReadonlyMap<string, SoundName>, file: string): never {
  throw error instanceof ClientError ? errorWith(error, { file }, names) : error;
}
