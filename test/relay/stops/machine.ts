import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { bindableStores, bindStores } from "../../../relay/domain/bind-stores.ts";
import type { Context } from "../../../relay/domain/context.ts";
import { Health } from "../../../relay/domain/health.ts";
import { KnownTokens } from "../../../relay/domain/known-tokens.ts";
import { endPending } from "../../../relay/domain/pending-sounds.ts";
import { Admission } from "../../../relay/domain/admission/admission.ts";
import { NO_METER } from "../../../relay/domain/meter.ts";
import { Operator } from "../../../relay/domain/operator.ts";
import { Partials } from "../../../relay/domain/partials/partials.ts";
import { sweep } from "../../../relay/domain/sweep.ts";
import { lookForUnknown } from "../../../relay/domain/unknown-sounds.ts";
import { MemoryNotifier } from "../../../relay/notify/memory-notifier.ts";
import { budgetsOf } from "../../../relay/budgets-of.ts";
import { policyOf, readRelaySettings } from "../../../relay/settings.ts";
import { DiskSoundStore } from "../../../relay/storage/disk/disk-sound-store.ts";
import { MemoryLimits } from "../../../relay/limits/memory-limits.ts";
import { systemDigest } from "../../../relay/storage/system.ts";
import { recordsIn, sqliteInMemory } from "../domain/sqlite-in-memory.ts";
import { PowerCutDisk } from "../storage/disk/power-cut-disk.ts";
import { SetClock } from "../set-clock.ts";
import { StoppingCalls } from "./stopping-calls.ts";

/** What outlives a process: database, sounds on disk, and the time. */
export class Machine implements AsyncDisposable {
  readonly clock = Object.assign(new SetClock(), {
    provenNow(this: SetClock) {
      return this.time;
    },
  });
  readonly #database = new DatabaseSync(":memory:");
  readonly #disk: PowerCutDisk;
  readonly #totalChanges = this.#database.prepare("SELECT total_changes() AS total");
  #drawn = 0;

  private constructor(disk: PowerCutDisk) {
    this.#disk = disk;
    sqliteInMemory(this.#database);
  }

  static async create(): Promise<Machine> {
    return new Machine(await PowerCutDisk.create());
  }

  /** A new process on the machine's stores, which remembers nothing but what is stored. */
  async process(calls = new StoppingCalls()): Promise<Context> {
    const records = recordsIn(this.#database);
    const pairings = calls.of("pairings", records.pairings);
    const { clock } = this;
    const files = this.#disk.process((call) => calls.pass(`before ${call} of a file`));
    return {
      pairings,
      packages: calls.of("packages", records.packages),
      soundKeys: calls.of("soundKeys", records.soundKeys),
      upkeep: calls.of("upkeep", records.upkeep),
      sounds: calls.of("sounds", await DiskSoundStore.open(this.#disk.path, files)),
      changes: records.changes,
      notifier: new MemoryNotifier((error) => {
        throw error;
      }),
      limits: new MemoryLimits(clock),
      clock,
      health: new Health(() => {}),
      randomBytes: (count) => this.#draw(count),
      digest: systemDigest,
      policy: {
        ...policyOf(readRelaySettings({ environment: {} })),
        pairingTriesPerMinute: 1000,
        minFreeBytes: 0,
      },
      known: new KnownTokens(pairings, systemDigest, clock),
      meter: NO_METER,
      admission: new Admission(budgetsOf(readRelaySettings({ environment: {} }))),
      operator: new Operator(),
      partials: new Partials(),
    };
  }

  /** Another text after each change of database, disk or time. */
  get state(): string {
    const { total } = this.#totalChanges.get() ?? {};
    return [String(total), this.#disk.changes, this.clock.time].join();
  }

  /** Ends every process and loses what was not flushed. What SQLite committed was. */
  powerCut(): Promise<void> {
    return this.#disk.powerCut();
  }

  /** Every file and every empty folder of the store outside the quarantine, as paths within it. */
  async storedPaths(): Promise<readonly string[]> {
    const all = await readdir(join(this.#disk.path, "sounds"), { recursive: true });
    const paths = all.filter((path) => !path.startsWith(".quarantine"));
    return paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`))).sort();
  }

  /** The number of rows that the database has in a table. */
  count(table: "packages" | "devices" | "pairings"): number {
    return Number(this.#database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
    await this.#disk[Symbol.asyncDispose]();
  }

  /** The same bytes in every run, and never the same ones twice in a run. */
  #draw(count: number): Uint8Array {
    this.#drawn += 1;
    const digest = createHash("shake256", { outputLength: count });
    return digest.update(String(this.#drawn)).digest();
  }
}

/** What a relay does when it starts with the stores to itself. */
export async function start(context: Context): Promise<void> {
  const stores = bindableStores(context);
  if (stores === undefined) throw new Error("These stores can be bound.");
  await bindStores(stores, context.randomBytes);
  await endPending(context, Number.MAX_SAFE_INTEGER, context.clock.provenNow());
  await sweep(context);
  await lookForUnknown(context);
}
