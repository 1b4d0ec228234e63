import { type Context, HOUR_MS, MINUTE_MS } from "../context.ts";
import {
  type PackageRecord,
  quarantines,
  type ScrubProgress,
  type SoundStore,
  type StoreUpkeep,
} from "../ports.ts";
import {
  compareTwice,
  type DifferingSound,
  listStored,
  type Reading,
  type StoredFile,
} from "./compare-sounds.ts";
import type { Comparison } from "./comparison.ts";
import { holdsOwnSounds, isDeletionHeld } from "./doomed-sounds.ts";
import { dropLost, markLost } from "./reconcile.ts";

/** Small enough that a call waits for no more than one read. */
const PIECE_BYTES = 512 * 1024;
/** The shortest time between two runs. */
const EVERY_MS = HOUR_MS;
/** A scrub is another relay's after this long without its progress. */
const LEASE_MS = 5 * MINUTE_MS;
const KEEP_EVERY_MS = 10_000;
/** The wait before each piece while sounds are sent or fetched. */
const BUSY_MS = 1000;
/** The most sounds of a run that may differ; otherwise the disk is the problem. */
const MOST_DIFFERING = 10;
const START = { after: "", compared: 0, differing: 0 };

export interface ScrubOptions {
  /** The largest share of the time that it reads, more than 0, at most 0.5. */
  readonly share: number;
  /** Names this process among those on the same records. */
  readonly holder: string;
  /** Ends it soon. The next one continues there. */
  readonly signal: AbortSignal;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** Rejects once the signal aborts. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly onDiffering: (sound: Omit<DifferingSound, "record">) => void;
}

/**
 * Compares the stored sounds of all packages with what was announced, slowly (rule Z16). Quarantines each that differs, so
 * that its package lacks it. Continues where the last scrub of these records ended, and does nothing while another process
 * scrubs, a backup is made, or the last run ended within the hour.
 */
export async function scrub(context: Context, options: ScrubOptions): Promise<void> {
  const { upkeep, sounds } = context;
  if (upkeep === undefined || !quarantines(sounds)) return;
  const { isScrubHalted } = await upkeep.read();
  context.health.note("damage", isScrubHalted ? DAMAGE : undefined);
  if (isScrubHalted || (await mustWait(context))) return;
  const running = await RunningScrub.begin(context, upkeep, options);
  await running?.run();
}

const DAMAGE =
  `More than ${MOST_DIFFERING} stored sounds are not what their apps sent, so the disk may be failing. No more are compared ` +
  "or quarantined. Check the disk, then run `soundferry relay check --deep --repair`.";

async function mustWait(context: Context): Promise<boolean> {
  return (await isDeletionHeld(context)) || !(await holdsOwnSounds(context));
}

class RunningScrub {
  readonly #context: Context;
  readonly #upkeep: StoreUpkeep;
  readonly #options: ScrubOptions;
  #progress: ScrubProgress;
  #keepAt = 0;

  private constructor(
    context: Context,
    upkeep: StoreUpkeep,
    options: ScrubOptions,
    progress: ScrubProgress,
  ) {
    this.#context = context;
    this.#upkeep = upkeep;
    this.#options = options;
    this.#progress = progress;
  }

  /** Begins or continues a run. Returns undefined if none is due here. */
  static async begin(
    context: Context,
    upkeep: StoreUpkeep,
    options: ScrubOptions,
  ): Promise<RunningScrub | undefined> {
    const kept = await keep(context, upkeep, options, { leaseMs: LEASE_MS });
    if (kept === undefined) return undefined;
    const wasHalted = kept.differing > MOST_DIFFERING;
    const running = new RunningScrub(context, upkeep, options, {
      ...kept,
      ...(wasHalted && START),
    });
    const sinceMs = context.clock.now() - kept.finishedAt;
    const isDue = kept.compared > 0 || sinceMs >= EVERY_MS || sinceMs < 0;
    if (isDue) return running;
    await running.#end();
    return undefined;
  }

  async run(): Promise<void> {
    try {
      if (await this.#compareAll()) {
        this.#progress = { ...this.#progress, ...START, finishedAt: this.#context.clock.now() };
      }
    } catch (error) {
      if (!this.#options.signal.aborted) throw error;
    } finally {
      await this.#end();
    }
  }

  /** Returns true at the end of the run, false if it must continue later. */
  async #compareAll(): Promise<boolean> {
    let last: string | undefined;
    for await (const stored of listStored({ upkeep: this.#upkeep }, this.#progress.after)) {
      if (last !== undefined && last !== stored.packageId) {
        this.#progress = { ...this.#progress, after: last };
      }
      last = stored.packageId;
      this.#options.signal.throwIfAborted();
      if ((await mustWait(this.#context)) || !(await this.#keepNowAndThen())) return false;
      if (!(await this.#compare(stored))) return false;
    }
    return true;
  }

  /** Returns false if the scrub must stop. */
  async #compare(stored: StoredFile): Promise<boolean> {
    const { sounds, meter } = this.#context;
    const { found, record } = await compareTwice(this.#context, stored, this.#reading(sounds));
    const compared = this.#progress.compared + 1;
    this.#progress = { ...this.#progress, compared };
    if (record !== undefined && (await mustWait(this.#context))) return false;
    const isDiffering = record !== undefined && (await this.#isLost(stored, found, record));
    meter.scrubbed(record === undefined || isDiffering ? found : "same");
    if (!isDiffering) return true;
    this.#options.onDiffering({ ...stored, found });
    const differing = this.#progress.differing + 1;
    this.#progress = { ...this.#progress, differing };
    if (differing <= MOST_DIFFERING) return true;
    await this.#upkeep.keep({ isScrubHalted: true });
    this.#context.health.note("damage", DAMAGE);
    return false;
  }

  /** Takes a sound out of its package, unless too many differ already. Returns false if its bytes were found again. */
  async #isLost(stored: StoredFile, found: Comparison, record: PackageRecord): Promise<boolean> {
    const { packageId, file, key } = stored;
    const files = new Map([[file, key]]);
    if (this.#progress.differing >= MOST_DIFFERING) return true;
    if (found === "lost") return (await dropLost(this.#context, record, files)).size === 0;
    await markLost(this.#context, { packageId, files }, this.#context.clock.confirmedNow());
    return true;
  }

  /** A store with checksums may be far away, and its bytes may cost: only its checksums are compared. */
  #reading(sounds: SoundStore): Reading | undefined {
    if (sounds.checksumOf !== undefined) return undefined;
    const { share, monotonic, sleep } = this.#options;
    return {
      pieceBytes: PIECE_BYTES,
      read: async (act) => {
        if (this.#isBusy) await sleep(BUSY_MS);
        const startedAt = monotonic();
        const result = await act();
        await sleep((monotonic() - startedAt) * (1 / share - 1));
        return result;
      },
    };
  }

  get #isBusy(): boolean {
    const { admission } = this.#context;
    return admission.budget("uploads").used > 0 || admission.budget("downloads").used > 0;
  }

  /** Returns false if another process scrubs by now. */
  async #keepNowAndThen(): Promise<boolean> {
    const now = this.#options.monotonic();
    if (now < this.#keepAt) return true;
    this.#keepAt = now + KEEP_EVERY_MS;
    return (await this.#keep(LEASE_MS)) !== undefined;
  }

  /** Lets other processes continue. */
  async #end(): Promise<void> {
    await this.#keep(0);
  }

  #keep(leaseMs: number): Promise<ScrubProgress | undefined> {
    const kept = { leaseMs, progress: this.#progress };
    return keep(this.#context, this.#upkeep, this.#options, kept);
  }
}

function keep(
  { clock }: Context,
  upkeep: StoreUpkeep,
  { holder }: ScrubOptions,
  { leaseMs, progress }: { readonly leaseMs: number; readonly progress?: ScrubProgress },
): Promise<ScrubProgress | undefined> {
  const now = clock.now();
  return upkeep.keepScrub({
    holder,
    now,
    until: now + leaseMs,
    latestEnd: now + 2 * LEASE_MS,
    progress,
  });
}
