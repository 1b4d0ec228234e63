import { refuseUpload } from "../../core/protocol/package-state.ts";
import { Refusal, refusal } from "../../core/protocol/refusal.ts";
import type { Context } from "./context.ts";
import type { KnownApp } from "./known-tokens.ts";
import type { PackageRecord, Topic } from "./ports.ts";
import { findOwnPackage, refuseDeleted } from "./update-package.ts";

/** Resolves with the time, on the relay's clock, at which to check again. Throws a `Refusal` once the transfer must end. */
type Check = () => Promise<number>;

/**
 * Watches a running transfer and ends it early (rule J9). Checks it at its start, after each notification of
 * its topics, when one may have been missed, at the time that the last check named, and every `lookAgainMs`.
 * Only this process knows of it. Dispose it when the transfer is over.
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

  /** Aborts when the transfer must end. Its reason is what the check threw. Never aborts after disposal. */
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
    try {
      while (this.#isDue && !this.#isOver) {
        this.#isDue = false;
        this.#wait(await this.#check());
      }
    } catch (error) {
      this.#heed(error);
    }
    this.#isChecking = false;
  }

  /** Only a refusal ends the transfer. If the store has trouble, the transfer goes on until the next check. */
  #heed(error: unknown): void {
    if (this.#isOver) return;
    if (!(error instanceof Refusal)) {
      this.#wait(Infinity);
      return;
    }
    this.#ending.abort(error);
    this[Symbol.dispose]();
  }

  #wait(until: number): void {
    clearTimeout(this.#timer);
    if (this.#isOver) return;
    const leftMs = Math.max(1, until - this.#context.clock.now());
    const ms = Math.min(leftMs, this.#context.policy.lookAgainMs);
    this.#timer = setTimeout(() => void this.#checkNow(), ms);
  }
}

/** Watches an upload: its token, its package and the package's upload window. */
export function watchUpload(
  context: Context,
  upload: { readonly app: KnownApp; readonly packageId: string },
): RunningTransfer {
  const topics: Topic[] = [`pairing:${upload.app.pairingId}`, `package:${upload.packageId}`];
  return new RunningTransfer(context, topics, async () => {
    const record = await findOfPairedApp(context, upload);
    const refused = refuseUpload(record.life, context.clock.now()) ?? refuseDeleted(record);
    if (refused !== undefined) throw refused;
    return record.life.uploadEndsAt;
  });
}

/**
 * Finds the package of an upload.
 * @throws {Refusal} 401 TOKEN_UNKNOWN if the app's token was revoked, 404 PACKAGE_UNKNOWN
 */
export async function findOfPairedApp(
  context: Context,
  { app, packageId }: { readonly app: KnownApp; readonly packageId: string },
): Promise<PackageRecord> {
  if (!(await context.known.isStillPaired(app))) throw refusal("TOKEN_UNKNOWN");
  return findOwnPackage(context, app, packageId);
}

/**
 * Watches a download: its importer's token and the package's record. That the app is unpaired or the files
 * expire ends no running download.
 * @param download `authenticate` throws once the importer's token is no longer valid
 */
export function watchDownload(
  context: Context,
  download: {
    readonly deviceId: string;
    readonly packageId: string;
    readonly authenticate: () => Promise<unknown>;
  },
): RunningTransfer {
  const { deviceId, packageId, authenticate } = download;
  const topics: Topic[] = [`device:${deviceId}`, `package:${packageId}`];
  return new RunningTransfer(context, topics, async () => {
    await authenticate();
    const record = await context.packages.find(packageId);
    if (record?.deviceId !== deviceId) throw refusal("PACKAGE_UNKNOWN");
    return Infinity;
  });
}
