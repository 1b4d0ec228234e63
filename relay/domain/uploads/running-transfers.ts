import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Permit } from "../admission/budgets.ts";
import type { Context } from "../context.ts";
import type { Topic } from "../ports.ts";
import { findOfPairedApp } from "../packages/update-package.ts";
import { requireOwnSounds } from "../upkeep/doomed-sounds.ts";
import { refuseBytes, type Upload } from "./find-uploadable.ts";

/** The time until a check that the store could not answer is repeated (rule J7). */
const RETRY_MS = 500;

/**
 * Resolves with the proven time, on the relay's clock, at which to check again.
 * @throws {Refusal} once the transfer must end
 */
type Check = () => Promise<number>;

/**
 * Watches a running transfer and ends it early (rule J9). Checks it at its start, after each notification of
 * its topics, when one may have been missed, at the time that the last check named, every `lookAgainMs`, and
 * soon after a check that failed. Only this process knows the transfer. Dispose it when the transfer is over.
 */
export class RunningTransfer implements Disposable {
  readonly #context: Context;
  readonly #check: Check;
  readonly #ending = new AbortController();
  readonly #stopListening: readonly (() => void)[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #isChecking = false;
  #isDue = false;

  constructor(context: Context, topics: readonly Topic[], check: Check) {
    this.#context = context;
    this.#check = check;
    const checkNow = () => void this.#checkNow();
    this.#stopListening = topics.map((topic) => context.notifier.listen(topic, checkNow));
    checkNow();
  }

  /** Aborts when the transfer must end, with the error of the check as its reason. Never aborts after disposal. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
  }

  /** Runs one check at a time, and once more if it is due again meanwhile. */
  async #checkNow(): Promise<void> {
    this.#isDue = true;
    if (this.#isChecking) return;
    this.#isChecking = true;
    while (this.#isDue && !this.#isOver) {
      this.#isDue = false;
      this.#wait(await this.#checkOnce());
    }
    this.#isChecking = false;
  }

  /**
   * Returns the milliseconds until the next check. Only a refusal ends the transfer. If the store has trouble,
   * the transfer continues and is checked again soon.
   */
  async #checkOnce(): Promise<number> {
    try {
      const until = await this.#check();
      return Math.max(1, until - this.#context.clock.confirmedNow());
    } catch (error) {
      if (error instanceof Refusal) this.end(error);
      return RETRY_MS;
    }
  }

  /** Ends the transfer with that error. */
  end(why: Error): void {
    if (this.#isOver) return;
    this.#ending.abort(why);
    this[Symbol.dispose]();
  }

  #wait(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    const nextMs = Math.min(ms, this.#context.policy.lookAgainMs);
    this.#timer = setTimeout(() => void this.#checkNow(), nextMs);
    this.#timer.unref();
  }
}

/** An upload that has its place among the running ones. */
export interface RunningUpload {
  readonly slot: Permit;
  /** Aborts when the upload must end. */
  readonly ended: AbortSignal;
  /** Ends the upload. */
  end(why: Error): void;
}

/** Receives bytes as one of the running uploads, and ends early when it can no longer succeed (rule J9). */
export async function runUpload<Result>(
  context: Context,
  upload: Upload,
  receive: (running: RunningUpload) => Promise<Result>,
): Promise<Result> {
  let transfer: RunningTransfer | undefined;
  const end = (why: Error) => transfer?.end(why);
  const slot = context.admission.take("uploads", upload.caller, 1, end);
  try {
    transfer = watchUpload(context, upload);
    await requireOwnSounds(context);
    return await receive({ slot, ended: transfer.ended, end });
  } finally {
    transfer?.[Symbol.dispose]();
    slot[Symbol.dispose]();
  }
}

/**
 * Watches an upload: its token, its package, the package's upload window, whether the disk is full, and the operator's
 * decisions.
 */
export function watchUpload(
  context: Context,
  upload: Pick<Upload, "app" | "caller" | "packageId" | "file">,
): RunningTransfer {
  const topics: Topic[] = [`pairing:${upload.app.pairingId}`, `package:${upload.packageId}`];
  return new RunningTransfer(context, topics, async () => {
    context.operator.admitAddress(upload.caller.address);
    const record = await findOfPairedApp(context, upload);
    const refused = refuseBytes(context, record);
    if (refused !== undefined) throw refused;
    await context.operator.admitSound(record.manifest, upload.file);
    return record.life.uploadEndsAt;
  });
}

/**
 * Watches a download: its importer's token, the package's record, and whether the operator denies the sound. It doesn't
 * end when the app is unpaired or the files expire.
 * @param download `authenticate` throws once the importer's token is no longer valid, or device or address blocked
 */
export function watchDownload(
  context: Context,
  download: {
    readonly deviceId: string;
    readonly packageId: string;
    readonly file: string;
    readonly authenticate: () => Promise<unknown>;
  },
): RunningTransfer {
  const { deviceId, packageId, file, authenticate } = download;
  const topics: Topic[] = [`device:${deviceId}`, `package:${packageId}`];
  return new RunningTransfer(context, topics, async () => {
    await authenticate();
    const record = await context.packages.find(packageId);
    if (record?.deviceId !== deviceId) throw refusal("PACKAGE_UNKNOWN");
    await context.operator.admitSound(record.manifest, file);
    return Infinity;
  });
}
