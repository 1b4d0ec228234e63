import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import { isJsonObject } from "../../core/text/json-object.ts";
import { parseJson } from "../../core/text/parse-json.ts";
import { sentenceOf } from "../../core/text/sentence-of.ts";
import {
  readTextIfAny,
  writeFileAtomically,
  makeDurableFolder,
  listFiles,
} from "../disk/atomic-file.ts";
import { toDiskError } from "../disk/disk-error.ts";
import { fileNameForId } from "../disk/id-file-name.ts";
import { confirmKept } from "./confirm-kept.ts";
import { isOwnRefusal } from "../../core/importer/relay-errors.ts";
import type { RelayPort, Reporter } from "./relay-port.ts";
import { REAL_TIMERS } from "../timers.ts";

/** Suffix that marks a file that holds no report. */
const DAMAGED = ".damaged";

type ReportTarget = Reporter & Pick<RelayPort, "report">;

export interface OutboxOptions {
  /** Returns the ids of a package's sounds that this importer keeps: its report says so when it is sent (rule L12). */
  readonly keptOf?: (packageId: string) => Promise<ReadonlySet<string>>;
  /** Called before a report is removed, because the report carries how its run ended. */
  readonly endRun?: (packageId: string) => Promise<void>;
  /** Called with a sentence when a relay will never take a report. */
  readonly onRefused?: (sentence: string) => void;
  /** Returns milliseconds on a clock that is never set back; Node's by default. */
  readonly now?: () => number;
}

/**
 * Stores reports until they are delivered (rule R2): one flushed file per package, with its latest
 * results. A report goes only to the relay that the package came from, as the device that it was sent to.
 */
export class Outbox {
  readonly #folder: string;
  readonly #files = pLimit(1);
  readonly #deliveries = pLimit(1);
  readonly #options: OutboxOptions;
  readonly #retries: ReportRetries;

  /** @param folder created on first use */
  constructor(folder: string, options: OutboxOptions = {}) {
    this.#folder = folder;
    this.#options = options;
    this.#retries = new ReportRetries(options.now ?? (() => REAL_TIMERS.now()));
  }

  /** Stores a package's results; resolves once they survive a power cut. @param run kept for `runOf`; JSON */
  async put(
    packageId: string,
    results: SoundResults,
    { relayUrl, deviceId }: Reporter,
    run?: unknown,
  ): Promise<void> {
    await this.#files(async () => {
      await makeDurableFolder(this.#folder);
      const entry = { package_id: packageId, relay: relayUrl, device: deviceId, results, run };
      const text = JSON.stringify(entry);
      await writeFileAtomically(this.#pathOf(packageId), text);
      this.#retries.forget(packageId);
    });
  }

  /**
   * Renames files that hold no report, which a damaged disk may leave: a person can look at them.
   * @returns a sentence if there were any, or if that failed
   */
  setAsideDamaged(): Promise<string | null> {
    return this.#files(async () => {
      const found: string[] = [];
      try {
        for (const name of await listReports(this.#folder)) {
          const path = join(this.#folder, name);
          if (parseEntry(name, (await readTextIfAny(path)) ?? "") !== undefined) continue;
          await rename(path, path + DAMAGED);
          found.push(path + DAMAGED);
        }
      } catch (error) {
        return sentenceOf(toDiskError(error));
      }
      return found.length === 0 ? null : damagedSentence(found);
    });
  }

  /** Lists the ids of packages whose report is pending. */
  async packageIds(relay: Reporter): Promise<readonly string[]> {
    const names = await listReports(this.#folder);
    const entries = await Promise.all(names.map((name) => this.#read(name, relay)));
    return entries.flatMap((entry) => (entry === undefined ? [] : [entry.packageId]));
  }

  /**
   * Sends a package's pending report, if any. Removes it on success and when the relay no longer has the package (rule
   * S9), and sets it aside when the relay finds it invalid; after other errors it stays.
   * @throws {Error} from `report`, except where the package is gone
   */
  deliver(packageId: string, relay: ReportTarget): Promise<void> {
    return this.#deliveries(async () => {
      const entry = await this.#read(fileNameOf(packageId), relay);
      if (entry === undefined) return;
      try {
        // What can't be looked up isn't confirmed.
        const kept = await this.#options.keptOf?.(packageId).catch(() => undefined);
        await relay.report(packageId, confirmKept(entry.results, kept ?? new Set()));
      } catch (error) {
        if (!isOwnRefusal(error) || error.code !== "PACKAGE_UNKNOWN") {
          this.#retries.noteFailure(packageId);
          if (isOwnRefusal(error) && error.status === 422) await this.#setAside(entry, error);
          throw error;
        }
      }
      await this.#take(entry, (path) => rm(path, { force: true }));
    });
  }

  /**
   * Like `deliver`; returns false where the report stays pending.
   * @param relay without `report`, it doesn't answer now
   */
  async tryDeliver(packageId: string, relay: Reporter & Partial<ReportTarget>): Promise<boolean> {
    if (!canReport(relay)) return false;
    try {
      await this.deliver(packageId, relay);
      return true;
    } catch {
      // The report is safe on the disk, and is sent again later.
      return false;
    }
  }

  /** Sets aside a report that the relay finds invalid and will never take; its file stays for people. */
  async #setAside(entry: Entry, error: Error): Promise<void> {
    const aside = join(this.#folder, `${fileNameForId(entry.packageId)}.refused`);
    await this.#take(entry, (path) => rename(path, aside));
    this.#options.onRefused?.(
      `The relay refused the results of a package: ${sentenceOf(error)} They are kept in ${aside}.`,
    );
  }

  /** Takes a report out, unless newer results were put meanwhile. */
  async #take({ packageId, text }: Entry, out: (path: string) => Promise<void>): Promise<void> {
    await this.#options.endRun?.(packageId);
    await this.#files(async () => {
      const path = this.#pathOf(packageId);
      if ((await readTextIfAny(path)) !== text) return;
      await out(path);
      this.#retries.forget(packageId);
    });
  }

  /** Returns the `run` of a package's pending report, whichever relay it goes to. */
  async runOf(packageId: string): Promise<unknown> {
    const name = fileNameOf(packageId);
    const text = await readTextIfAny(join(this.#folder, name));
    return text === undefined ? undefined : parseEntry(name, text)?.run;
  }

  /** Returns a package's pending report, if any. */
  async find(packageId: string, relay: Reporter): Promise<SoundResults | undefined> {
    return (await this.#read(fileNameOf(packageId), relay))?.results;
  }

  /** Removes a package's pending report if `isWanted` accepts it; waits for a delivery in progress. */
  withdraw(
    packageId: string,
    relay: Reporter,
    isWanted: (results: SoundResults) => boolean,
  ): Promise<void> {
    return this.#deliveries(() =>
      this.#files(async () => {
        const results = await this.find(packageId, relay);
        if (results !== undefined && isWanted(results)) await rm(this.#pathOf(packageId));
      }),
    );
  }

  /** Delivers every pending report that is due, each independently; returns how many stay pending. */
  async flush(relay: ReportTarget): Promise<number> {
    for (const packageId of await this.packageIds(relay)) {
      if (this.#retries.waitMs(packageId) > 0) continue;
      await this.tryDeliver(packageId, relay);
    }
    return (await this.packageIds(relay)).length;
  }

  /** Like `flush`; returns whether fewer are pending now. */
  async flushSome(relay: ReportTarget): Promise<boolean> {
    const { length: before } = await this.packageIds(relay);
    return before > 0 && (await this.flush(relay)) < before;
  }

  /** Returns the milliseconds until the next pending report is due; undefined where none is pending. */
  async waitMs(relay: Reporter): Promise<number | undefined> {
    const waits = (await this.packageIds(relay)).map((id) => this.#retries.waitMs(id));
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** Makes every pending report due. */
  retryNow(): void {
    this.#retries.forgetAll();
  }

  #pathOf(packageId: string): string {
    return join(this.#folder, fileNameOf(packageId));
  }

  async #read(name: string, { relayUrl, deviceId }: Reporter): Promise<Entry | undefined> {
    const text = await readTextIfAny(join(this.#folder, name));
    const entry = text === undefined ? undefined : parseEntry(name, text);
    return entry?.relayUrl === relayUrl && entry.deviceId === deviceId ? entry : undefined;
  }
}

interface Entry {
  readonly text: string;
  readonly packageId: string;
  readonly relayUrl: string;
  readonly deviceId: string | undefined;
  readonly results: SoundResults;
  readonly run: unknown;
}

function canReport(relay: Reporter & Partial<ReportTarget>): relay is ReportTarget {
  return relay.report !== undefined;
}

function fileNameOf(packageId: string): string {
  return `${fileNameForId(packageId)}.json`;
}

/**
 * Parses a report's file; undefined where it is damaged.
 * @param name that of its file; a report with the id of another package is damaged
 */
function parseEntry(name: string, text: string): Entry | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { package_id: packageId, relay: relayUrl, device, results, run } = value;
  if (typeof packageId !== "string" || typeof relayUrl !== "string") return undefined;
  if (fileNameOf(packageId) !== name) return undefined;
  const deviceId = typeof device === "string" ? device : undefined;
  return isResults(results) ? { text, packageId, relayUrl, deviceId, results, run } : undefined;
}

/** Checks results only roughly: `put` wrote the file, and the relay validates them. */
function isResults(value: unknown): value is SoundResults {
  return isJsonObject(value) && Object.values(value).every((result) => isJsonObject(result));
}

function damagedSentence(paths: readonly string[]): string {
  return `Import results were damaged on the disk, and their app won't get them. They are kept in ${paths.join(", ")}.`;
}

async function listReports(folder: string): Promise<readonly string[]> {
  return (await listFiles(folder)).filter((name) => name.endsWith(".json"));
}

/** First delay of a report that was not delivered; each later one doubles it. */
const FIRST_RETRY_MS = 5000;
const LONGEST_RETRY_MS = 10 * 60_000;

/** The delays after which undelivered reports are sent again: 5 s, doubling to 10 minutes. */
class ReportRetries {
  readonly #now: () => number;
  readonly #failed = new Map<string, { readonly delayMs: number; readonly dueAtMs: number }>();

  /** @param now milliseconds on a clock that is never set back */
  constructor(now: () => number) {
    this.#now = now;
  }

  noteFailure(packageId: string): void {
    const before = this.#failed.get(packageId)?.delayMs ?? FIRST_RETRY_MS / 2;
    const delayMs = Math.min(2 * before, LONGEST_RETRY_MS);
    this.#failed.set(packageId, { delayMs, dueAtMs: this.#now() + delayMs });
  }

  /** Forgets a report that was delivered or replaced. */
  forget(packageId: string): void {
    this.#failed.delete(packageId);
  }

  /** Makes every report due, such as after a connect. */
  forgetAll(): void {
    this.#failed.clear();
  }

  /** Returns the milliseconds until a report is due; 0 where it is. */
  waitMs(packageId: string): number {
    return Math.max(0, (this.#failed.get(packageId)?.dueAtMs ?? 0) - this.#now());
  }
}
