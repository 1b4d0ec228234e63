import type { JsonObject } from "../../core/text/json-object.ts";
import type { PackageStatus } from "../../core/protocol/package-status.ts";
import type { AnnounceAnswer } from "../../core/protocol/public-api.ts";
import { loadUploading } from "../parts/parts.ts";
import { ClientError } from "../wire/client-error.ts";
import { isTemporary } from "../wire/retry.ts";
import type { OutgoingPackage } from "./package-draft.ts";
import { isCommitted } from "./relay-calls.ts";
import type { SendOptions, SentPackage } from "./send-options.ts";
import { type SendDeps, SendRun } from "./send-run.ts";
import { errorWith, soundNamesOf } from "./sound-names.ts";
import { AbortedSend } from "./withdrawals.ts";

/** The upload windows of a day. */
const MAX_ROUNDS = 24;
/** Number of uploads of a package whose commit finds sounds missing. */
const MAX_UPLOADS = 3;

/** A package to send. */
export interface SendTask {
  /** Its `Idempotency-Key`. */
  readonly key: string;
  /** True if the app chose the key, and so wants to resume the package on its own. */
  readonly isOwnKey: boolean;
  /** True if no file of it can have arrived before. */
  readonly isNew: boolean;
  /** Its id, if it was announced before. */
  readonly packageId?: string | undefined;
  /** Checks and hashes the sounds, if that was not done before. */
  prepare(run: SendRun): Promise<OutgoingPackage>;
  /** Gets what the next page needs to resume the package. */
  onAnnounced?(packageId: string): void;
}

/**
 * Sends a package: prepares, announces, uploads, commits. After a final refusal or an abort it withdraws the
 * package, unless the app can resume it under its own key.
 * @throws {ClientError} with the package's id; `AbortedSend`
 */
export async function sendPackage(
  deps: SendDeps,
  task: SendTask,
  options: SendOptions,
): Promise<SentPackage> {
  return new PackageSend(new SendRun(deps, options), task).send();
}

/** Codes of errors after which the same package can still be sent. */
const NOT_FINAL = new Set<string>([
  "ROOM_TOO_SMALL",
  "MIXED_CONTENT",
  "LOCAL_NETWORK_DENIED",
  "CORS_BLOCKED",
  "NOT_A_RELAY",
  "REDIRECTED",
]);

/** True if sending the same again can't help. A 401 leaves nothing to withdraw with. */
export function isFinal(error: unknown): boolean {
  if (!(error instanceof ClientError)) return true;
  const { status = 0, code } = error;
  if (NOT_FINAL.has(code) || isTemporary(error)) return false;
  // Without a code, somebody else may have answered the uploads of which the commit knows nothing.
  if (status === 409 && code === "REFUSED") return false;
  return ![401, 408, 429, 503, 507].includes(status);
}

/** One package on its way to the relay. */
class PackageSend {
  readonly #run: SendRun;
  readonly #task: SendTask;
  /** undefined until the package is announced. */
  #packageId: string | undefined;
  /** Set while the relay may have the whole package. */
  #isCommitting = false;

  constructor(run: SendRun, task: SendTask) {
    this.#run = run;
    this.#task = task;
    this.#packageId = task.packageId;
  }

  async send(): Promise<SentPackage> {
    let outgoing: OutgoingPackage | undefined;
    try {
      outgoing = await this.#task.prepare(this.#run);
      return await this.#sendPrepared(outgoing);
    } catch (error) {
      await this.#abandon(error);
      if (!(error instanceof ClientError)) throw error;
      const names = soundNamesOf(outgoing?.manifest ?? {});
      throw errorWith(error, { packageId: this.#packageId }, names);
    }
  }

  /** Announces, uploads and commits, with retries. A package whose upload window ends meanwhile is announced again. */
  async #sendPrepared(outgoing: OutgoingPackage): Promise<SentPackage> {
    for (let round = 1; ; round += 1) {
      this.#run.enter("uploading");
      this.#isCommitting = false;
      const announced = await this.#announce(outgoing.manifest);
      const { package_id: packageId, warnings } = announced;
      const lacking = Object.keys(announced.upload).find((file) => !outgoing.sounds.has(file));
      if (lacking !== undefined) {
        const sentence = `${lacking}: the bytes of this sound are missing.`;
        throw new ClientError(sentence, { code: "SOUND_UNREADABLE", file: lacking });
      }
      const isSent = await this.#uploadAndCommit(announced, outgoing, round);
      if (isSent) return { packageId, warnings };
    }
  }

  /** Uploads and commits; false if the upload window has ended meanwhile. */
  async #uploadAndCommit(
    announced: AnnounceAnswer,
    outgoing: OutgoingPackage,
    round: number,
  ): Promise<boolean> {
    const run = this.#run;
    const { package_id: packageId } = announced;
    for (let uploads = 1; ; uploads += 1) {
      try {
        const isNew = this.#task.isNew && round === 1 && uploads === 1;
        const { uploadSounds } = await run.retry(loadUploading);
        await uploadSounds(run, announced, outgoing, isNew);
        run.enter("committing");
        run.options.signal?.throwIfAborted();
        this.#isCommitting = true;
        await run.retry(() => run.calls.commit(packageId, run.options));
        return true;
      } catch (error) {
        const status = await this.#statusAfter(error, packageId);
        if (status === "expired" && round < MAX_ROUNDS) return false;
        if (status !== undefined && isCommitted({ status })) return true;
        if (status !== "uploading" || !this.#isCommitting || uploads === MAX_UPLOADS) throw error;
        run.enter("uploading");
      }
    }
  }

  /** Reads what became of a package about which the relay has refused something; undefined if that says nothing. */
  async #statusAfter(error: unknown, packageId: string): Promise<PackageStatus | undefined> {
    const { calls, options } = this.#run;
    if (!(error instanceof ClientError)) return undefined;
    if (error.code === "PACKAGE_EXPIRED") return "expired";
    // An earlier commit may be done, although its answer was lost.
    if (error.status !== 409 && !(error.status === 404 && this.#isCommitting)) return undefined;
    return (await this.#run.retry(() => calls.status(packageId, options))).status;
  }

  async #announce(manifest: JsonObject): Promise<AnnounceAnswer> {
    const { calls, options } = this.#run;
    const { key: idempotencyKey, isOwnKey } = this.#task;
    const announced = await this.#run.retry(() =>
      orAbort(calls.announce(manifest, { idempotencyKey }), options.signal, (late) => {
        if (!isOwnKey) void calls.withdrawals.withdraw(late.package_id);
      }),
    );
    this.#packageId = announced.package_id;
    this.#task.onAnnounced?.(announced.package_id);
    options.onAnnounced?.(announced);
    return announced;
  }

  /**
   * Withdraws the package if nothing can resume it.
   * @throws {AbortedSend} after an abort
   */
  async #abandon(error: unknown): Promise<void> {
    const { calls, options } = this.#run;
    const { isOwnKey } = this.#task;
    const packageId = this.#packageId;
    const withdraw = (id: string) => calls.withdrawals.withdraw(id);
    if (options.signal?.aborted === true) {
      const isKept = isOwnKey && !this.#isCommitting;
      const outcome =
        packageId === undefined ? "nothing" : isKept ? "kept" : await withdraw(packageId);
      throw new AbortedSend(outcome, options.signal.reason, packageId);
    }
    if (packageId !== undefined && !isOwnKey && isFinal(error)) await withdraw(packageId);
  }
}

/**
 * Rejects with the signal's reason as soon as it aborts, while the work continues.
 * @param onLate gets a result that arrives after the abort
 */
async function orAbort<Result>(
  work: Promise<Result>,
  signal: AbortSignal | undefined,
  onLate: (result: Result) => void,
): Promise<Result> {
  if (signal === undefined) return work;
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } catch (error) {
    if (signal.aborted) work.then(onLate, () => undefined);
    throw error;
  } finally {
    over.abort();
  }
}
