import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ManualTimers } from "../manual-timers.ts";
import type { Host, HostSettingValues } from "../../../addon/hosts/host.ts";
import type { PreviewFaults } from "../../../addon/hosts/preview/preview-faults.ts";
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from "../../../addon/runs/attempts.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import {
  type PreviewState,
  readPreviewSession,
} from "../../../addon/hosts/preview/preview-session.ts";
import { REAL_TIMERS, type Timers } from "../../../addon/timers.ts";
import { ColorTurns } from "../../../addon/state/color-turns.ts";
import { type ImportDeps, ImportRun, type RunOptions } from "../../../addon/runs/import-run.ts";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { Journals } from "../../../addon/runs/journal.ts";
import { Outbox } from "../../../addon/relay/outbox.ts";
import type { PackageSource } from "../../../addon/packages/package-source.ts";
import { SoundsFolder } from "../../../addon/disk/sounds-folder.ts";

/** A policy without pauses. The timeout is as long as ever, so that a busy machine doesn't trigger it. */
export const IMPATIENCE: RetryPolicy = { ...DEFAULT_RETRY_POLICY, pause: async () => undefined };

/**
 * Returns pauses that pass at once on a clock of their own, so that a run gives up when its lease would have ended.
 */
export function passingTime() {
  const timers = new ManualTimers();
  const pauses: number[] = [];
  const pause = async (ms: number, signal: AbortSignal) => {
    pauses.push(ms);
    timers.advance(ms);
    // Files and sockets go on meanwhile.
    await setImmediate();
    signal.throwIfAborted();
  };
  return { timers, pauses, retryPolicy: { ...DEFAULT_RETRY_POLICY, pause } };
}

/** Timeout of a silent source, by which a test must advance the clock. */
export const SILENCE_MS = DEFAULT_RETRY_POLICY.silenceLimitMs;

export interface SiteOptions {
  readonly faults?: PreviewFaults;
  readonly host?: Host;
  /** Values of the host's settings. */
  readonly settings?: HostSettingValues;
  readonly retryPolicy?: RetryPolicy;
  /** Timers that measure the lease. */
  readonly timers?: Timers;
}

/** One computer's folders; each import in them begins from the files on the disk, as after a restart. */
export class ImportSite {
  readonly folder: string;
  readonly sounds: string;
  readonly dataFolder: string;

  /** @param folder the folder that has everything */
  constructor(folder: string) {
    this.folder = folder;
    this.sounds = join(folder, "sounds");
    this.dataFolder = join(folder, "data");
  }

  deps(options: SiteOptions = {}): ImportDeps {
    const { faults = {}, host, settings, retryPolicy = IMPATIENCE, timers = REAL_TIMERS } = options;
    return {
      host: host ?? new PreviewHost(this.#sessionPath, { faults }),
      sounds: new SoundsFolder(this.sounds),
      journals: this.journals(),
      colorTurns: new ColorTurns(join(this.dataFolder, "color-turns.json")),
      outbox: this.outbox(),
      newRunId: randomUUID,
      retryPolicy,
      timers,
      settingsOf: () => settings,
    };
  }

  journals(): Journals {
    return new Journals(
      join(this.dataFolder, "runs"),
      () => 0,
      (id) => this.outbox().runOf(id),
    );
  }

  outbox(): Outbox {
    return new Outbox(join(this.dataFolder, "outbox"), {
      endRun: (id) => this.journals().endReported(id),
    });
  }

  import(
    source: PackageSource,
    options: SiteOptions & Partial<RunOptions> = {},
  ): Promise<ImportOutcome> {
    const run = new ImportRun(source, this.deps(options), {
      signal: new AbortController().signal,
      onProgress: () => undefined,
      ...options,
    });
    return run.import();
  }

  session(): Promise<PreviewState> {
    return readPreviewSession(this.#sessionPath);
  }

  /** Lists every file below the sounds folder, by its path in it, in order. */
  async listSounds(): Promise<string[]> {
    const entries = await readdir(this.sounds, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.sounds.length + 1))
      .sort();
  }

  readSound(path: string): Promise<Buffer> {
    return readFile(join(this.sounds, path));
  }

  get #sessionPath(): string {
    return join(this.dataFolder, "preview-session.json");
  }
}
