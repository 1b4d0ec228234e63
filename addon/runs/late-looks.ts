import { isDeepStrictEqual } from "node:util";
import type { ImportedTrack } from "../../core/protocol/import-outcome.ts";
import type { SoundResult, SoundResults } from "../../core/protocol/package-status.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import { toDiskError } from "../disk/disk-error.ts";
import type { PlacedSound } from "../../core/report/placed-sound.ts";
import type { Host } from "../hosts/host.ts";
import type { Outbox } from "../relay/outbox.ts";
import type { PackageSource } from "../packages/package-source.ts";
import type { StateStore } from "../state/state-store.ts";
import { soundResult, withResult } from "../../core/report/import-outcome.ts";
import type { Journals } from "./journal.ts";

/** A run that has ended, and all that a later look at it needs. */
export interface EndedRun {
  readonly host: Host;
  readonly runId: string;
  readonly packageId: string;
  /** The relay that gets the report; undefined where none does. */
  readonly reportsTo: PackageSource["reportsTo"];
  /** The results of the sounds that the run was about. */
  readonly results: SoundResults;
  /** The report that the relay got; undefined where the run sent none. */
  readonly reported: SoundResults | undefined;
  /** Returns the results of these sounds for what the host holds now. */
  readonly resultsOf: (placed: readonly PlacedSound[]) => SoundResults;
}

export interface LateLooksDeps {
  readonly journals: Pick<Journals, "amend">;
  readonly outbox: Pick<Outbox, "put" | "tryDeliver">;
  readonly store: StateStore;
  /** Runs work while no import is active. */
  readonly runExclusive: (work: () => Promise<void>) => Promise<void>;
}

/** The new results of sounds, by id, each with the one that it replaces. */
type Amendments = ReadonlyMap<string, { readonly before: SoundResult; readonly now: SoundResult }>;

interface FollowedRun extends Omit<EndedRun, "results" | "reported"> {
  /** The newest results of the sounds that no later run was about. */
  results: ReadonlyMap<string, SoundResult>;
}

/**
 * Looks at imports again after their report, as long as their host does, and amends what was reported where the host
 * holds something else by then (rule R18). Only a started importer waits for that.
 */
export class LateLooks {
  readonly #deps: LateLooksDeps;
  readonly #followed = new Set<FollowedRun>();
  /** The newest reports of packages that are followed. */
  readonly #reported = new Map<string, SoundResults>();
  readonly #closing = new AbortController();
  #onAmended: (() => void) | undefined;

  constructor(deps: LateLooksDeps) {
    this.#deps = deps;
  }

  /** Follows the runs that end from now on. @param onAmended called after each amendment */
  start(onAmended: () => void): void {
    this.#onAmended = onAmended;
  }

  /** Follows a run until its host's last look; a later run of the same sounds at that host ends it for them. */
  follow({ results, reported, ...run }: EndedRun): void {
    const { packageId, host } = run;
    const isOlder = (each: FollowedRun) => each.packageId === packageId;
    for (const older of [...this.#followed].filter(isOlder)) {
      if (older.host.name === host.name) older.results = without(older.results, results);
    }
    const isNews = [...this.#followed].some(isOlder) || host.follow !== undefined;
    if (reported !== undefined && isNews) this.#reported.set(packageId, reported);
    if (host.follow === undefined || this.#onAmended === undefined) return;
    const followed = { ...run, results: new Map(Object.entries(results)) };
    this.#followed.add(followed);
    void this.#follow(followed, host.follow(run.runId, this.#closing.signal));
  }

  close(): void {
    this.#closing.abort(new Error("Soundferry is closing."));
  }

  async #follow(run: FollowedRun, looks: AsyncIterable<readonly PlacedSound[]>): Promise<void> {
    try {
      for await (const placed of looks) await this.#take(run, run.resultsOf(placed));
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      this.#deps.store.change({ diskTrouble: sentenceOf(toDiskError(error)) });
    } finally {
      this.#followed.delete(run);
      const isLast = [...this.#followed].every(({ packageId }) => packageId !== run.packageId);
      if (isLast) this.#reported.delete(run.packageId);
    }
  }

  async #take(run: FollowedRun, results: SoundResults): Promise<void> {
    const { packageId, reportsTo } = run;
    if (amendmentsOf(run.results, results).size === 0) return;
    // Another run of the package must not begin meanwhile, nor be overwritten.
    await this.#deps.runExclusive(() => this.#amend(run, results));
    if (reportsTo !== undefined) await this.#deps.outbox.tryDeliver(packageId, reportsTo);
    this.#onAmended?.();
  }

  async #amend(run: FollowedRun, results: SoundResults): Promise<void> {
    const { journals, outbox, store } = this.#deps;
    const { packageId, host, reportsTo } = run;
    const amendments = amendmentsOf(run.results, results);
    if (amendments.size === 0) return;
    const now = [...amendments].map(([id, each]): [string, SoundResult] => [id, each.now]);
    run.results = new Map([...run.results, ...now]);
    const reported = this.#reported.get(packageId);
    if (reportsTo !== undefined && reported !== undefined) {
      const amended = amendResults(reported, amendments);
      this.#reported.set(packageId, amended);
      await outbox.put(packageId, amended, reportsTo);
    }
    await journals.amend(packageId, host.name, Object.fromEntries(now));
    store.amendFinished(packageId, (track) => amendTrack(track, amendments));
  }
}

function without(
  results: ReadonlyMap<string, SoundResult>,
  others: SoundResults,
): ReadonlyMap<string, SoundResult> {
  return new Map([...results].filter(([id]) => !Object.hasOwn(others, id)));
}

function amendmentsOf(known: ReadonlyMap<string, SoundResult>, results: SoundResults): Amendments {
  const all = [...known].flatMap(([id, before]) => {
    const now = Object.hasOwn(results, id) ? results[id] : undefined;
    return now === undefined || isDeepStrictEqual(before, now)
      ? []
      : ([[id, { before, now }]] as const);
  });
  return new Map(all);
}

/** Replaces the results that the amended run reported; those of another host or run stay. */
function amendResults(reported: SoundResults, amendments: Amendments): SoundResults {
  const amended: Record<string, SoundResult> = Object.create(null);
  for (const [id, result] of Object.entries(reported)) {
    const found = amendments.get(id);
    amended[id] =
      found !== undefined && isDeepStrictEqual(found.before, result) ? found.now : result;
  }
  return amended;
}

function amendTrack(shown: ImportedTrack, amendments: Amendments): ImportedTrack {
  const found = amendments.get(shown.id);
  const isAmended = found !== undefined && isDeepStrictEqual(soundResult(shown), found.before);
  return isAmended ? withResult(shown, found.now) : shown;
}
