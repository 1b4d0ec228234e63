import { filesEndAt } from "../../../core/protocol/package-state.ts";
import { Refusal, refusal } from "../../../core/protocol/refusal.ts";
import type { Permit } from "../admission/budgets.ts";
import type { Context } from "../context.ts";
import { type Download, findDownload } from "../packages/find-download.ts";
import type { Topic } from "../ports.ts";
import { requireOwnSounds } from "../upkeep/doomed-sounds.ts";
import { type Announced, findUploadable, receivingSound, type Upload } from "./find-uploadable.ts";
import { countSender } from "./received-bytes.ts";

/** The time until a check that the store could not answer is repeated (rule J7). */
const RETRY_MS = 500;

/**
 * Resolves with the proven time, on the relay's clock, at which to check again.
 * @throws {Refusal} once the transfer must end
 */
type Check = () => Promise<number>;

interface Checks<Found> {
  /** The check at the start, which also finds what is transferred, so that nothing is read twice. */
  readonly first: () => Promise<{ readonly found: Found; readonly until: number }>;
  readonly again: Check;
}

/**
 * Watches a running transfer and ends it early (rule J9). Checks it at its start, after each notification of
 * its topics, when one may have been missed, at the time that the last check named, every `lookAgainMs`, and
 * soon after a check that failed. Only this process knows the transfer. Dispose it when the transfer is over.
 */
export class RunningTransfer<Found> implements Disposable {
  /** The finding of the first check. Rejects with its error. No later change can be missed. */
  readonly found: Promise<Found>;
  readonly #context: Context;
  #check: Check;
  readonly #ending = new AbortController();
  readonly #stopListening: readonly (() => void)[];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;
  #isChecking = false;
  #isDue = false;

  constructor(context: Context, topics: readonly Topic[], { first, again }: Checks<Found>) {
    this.#context = context;
    const found = Promise.withResolvers<Found>();
    this.found = found.promise;
    // Who only watches learns of it by `ended`.
    found.promise.catch(() => undefined);
    this.#check = async () => {
      this.#check = again;
      const checked = first();
      found.resolve(checked.then((one) => one.found));
      return (await checked).until;
    };
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

/** A watched upload. */
export type WatchedUpload = RunningTransfer<Announced>;

/**
 * Acts on a file whose bytes are accepted, and watches whether they still are. A refusal that is about the file names
 * the sound (rule E3).
 * @throws {Refusal} those of `findUploadable` and of `act`
 */
export async function withUploadable<Result>(
  context: Context,
  upload: Upload,
  act: (announced: Announced, watched: WatchedUpload) => Promise<Result>,
): Promise<Result> {
  using watched = watchUpload(context, upload);
  const announced = await watched.found;
  return await receivingSound(context, upload, announced, () => act(announced, watched));
}

/**
 * Receives bytes as one of the running uploads, and ends early when it can no longer succeed (rule J9).
 * @throws {Refusal} 429, 503
 */
export async function runUpload<Result>(
  context: Context,
  { caller, watched }: { readonly caller: Upload["caller"]; readonly watched: WatchedUpload },
  receive: (slot: Permit) => Promise<Result>,
): Promise<Result> {
  using slot = context.admission.take("uploads", caller, 1, (why) => watched.end(why));
  try {
    await countSender(context, caller);
    await requireOwnSounds(context);
    return await receive(slot);
  } finally {
    watched[Symbol.dispose]();
  }
}

/**
 * Watches an upload: its token, its package, the package's upload window, whether the disk is full, and the operator's
 * decisions.
 */
export function watchUpload(
  context: Context,
  upload: Pick<Upload, "app" | "caller" | "packageId" | "file">,
): WatchedUpload {
  const topics: Topic[] = [`pairing:${upload.app.pairingId}`, `package:${upload.packageId}`];
  const check = async (isFirst: boolean) => {
    const found = await findUploadable(context, upload, isFirst);
    return { found, until: filesEndAt(found.record.life) };
  };
  return new RunningTransfer(context, topics, {
    first: () => check(true),
    again: async () => (await check(false)).until,
  });
}

/**
 * Finds a file for an importer, and watches its download: the importer's token, the package's record, and whether the
 * operator denies the sound. It doesn't end when the app is unpaired or the files expire.
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
): RunningTransfer<Download> {
  const { deviceId, packageId, file, authenticate } = download;
  const topics: Topic[] = [`device:${deviceId}`, `package:${packageId}`];
  return new RunningTransfer(context, topics, {
    first: async () => {
      await authenticate();
      return { found: await findDownload(context, deviceId, packageId, file), until: Infinity };
    },
    again: async () => {
      await authenticate();
      const record = await context.packages.find(packageId);
      if (record?.deviceId !== deviceId) throw refusal("PACKAGE_UNKNOWN");
      await context.operator.admitSound(record.manifest, file);
      return Infinity;
    },
  });
}
