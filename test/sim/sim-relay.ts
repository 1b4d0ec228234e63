import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { bindableStores, bindStores } from "../../relay/domain/upkeep/bind-stores.ts";
import type { Context } from "../../relay/domain/context.ts";
import { endPending } from "../../relay/domain/upkeep/doomed-sounds.ts";
import { quarantines } from "../../relay/domain/ports.ts";
import { sweep } from "../../relay/domain/upkeep/sweep.ts";
import { lookForUnknown } from "../../relay/domain/upkeep/quarantine.ts";
import { DiskSoundStore } from "../../relay/storage/disk/disk-sound-store.ts";
import { emptyInMemory, recordsIn } from "../relay/domain/sqlite-in-memory.ts";
import { SetClock } from "../relay/set-clock.ts";
import { PowerCutDisk } from "../relay/storage/disk/power-cut-disk.ts";
import { answerCall } from "./answer-call.ts";
import { contextOf } from "./context-of.ts";
import { StoppingCalls } from "./stopping-calls.ts";
import { type Answer, type CalledRelay, type CallOptions, type Checks, Lost } from "./world.ts";

/**
 * A relay's use cases on a machine that is simulated: its processes stop at any call to database, disk or files, its
 * clock is set, and a power cut loses what was not flushed. What SQLite committed was.
 */
export class SimRelay implements CalledRelay, AsyncDisposable {
  readonly clock = new SetClock();
  readonly wasClockWrong = false;
  readonly #database = emptyInMemory();
  readonly #disk: PowerCutDisk;
  readonly #totalChanges = this.#database.prepare("SELECT total_changes() AS total");
  #drawn = 0;
  #calls = new StoppingCalls();
  #process: Promise<Context>;

  private constructor(disk: PowerCutDisk) {
    this.#disk = disk;
    this.#process = this.#open();
  }

  static async create(): Promise<SimRelay> {
    return new SimRelay(await PowerCutDisk.create());
  }

  /** A new process, which remembers nothing but what is stored, and stops as these calls say. It has not started yet. */
  begin(calls = new StoppingCalls()): void {
    this.#calls = calls;
    this.#process = this.#open();
  }

  async call(method: string, path: string, options?: CallOptions): Promise<Answer> {
    return this.run((context) => answerCall(context, `${method} ${path}`, options));
  }

  /** Acts as the process does. @throws {Lost} if it stops meanwhile */
  async run<Result>(act: (context: Context) => Promise<Result>): Promise<Result> {
    const stopped = this.#calls.stopped.then((where): never => {
      throw new Lost(where);
    });
    return Promise.race([this.#process.then(act), stopped]);
  }

  /** Starts as a relay that has the stores to itself. */
  start(): Promise<void> {
    return this.run(async (context) => {
      const stores = bindableStores(context);
      if (stores === undefined) throw new Error("These stores can be bound.");
      await bindStores(stores, context.randomBytes);
      await endPending(context, Number.MAX_SAFE_INTEGER, context.clock.confirmedNow());
      await sweep(context);
      await lookForUnknown(context);
    });
  }

  /** Ends every process and loses what was not flushed. */
  powerCut(): Promise<void> {
    return this.#disk.powerCut();
  }

  /** Another text after each change of database, disk or time. */
  get state(): string {
    const { total } = this.#totalChanges.get() ?? {};
    return [String(total), this.#disk.changes, this.clock.time].join();
  }

  /**
   * A start that has the stores to itself leaves only what records have. The quarantine has only what none has: uploads
   * that were finished, but not recorded.
   */
  async check(checks: Checks, promisedSounds: number): Promise<void> {
    const { upkeep, soundKeys, sounds } = await this.#open(new StoppingCalls());
    if (upkeep === undefined || !quarantines(sounds)) throw new Error("The stores can do both.");
    const recorded = await upkeep.listWithFiles({ limit: 1000 });
    const keys = recorded.flatMap(({ uploaded }) => Array.from(uploaded.values()));
    checks.same("Sounds on record", keys.length, promisedSounds);
    const stored = await readdir(join(this.#disk.path, "sounds"), { recursive: true });
    const paths = stored.filter((path) => !path.startsWith(".quarantine"));
    const leaves = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`)));
    checks.same("What is stored", leaves.sort(), ["instance", ...keys].sort());
    checks.same("What is doomed", await soundKeys.list({ state: "doomed", limit: 100 }), []);
    for await (const { key } of sounds.listQuarantined()) {
      checks.same("What is in the quarantine", await upkeep.findUnknown([key]), [key]);
    }
  }

  /** The number of rows that the database has in a table. */
  count(table: "packages" | "devices" | "pairings"): number {
    return Number(this.#database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
    await this.#disk[Symbol.asyncDispose]();
  }

  async #open(calls = this.#calls): Promise<Context> {
    const records = recordsIn(this.#database);
    const files = this.#disk.process((call) => calls.pass(`before ${call} of a file`));
    return contextOf({
      pairings: calls.of("pairings", records.pairings),
      packages: calls.of("packages", records.packages),
      soundKeys: calls.of("soundKeys", records.soundKeys),
      upkeep: calls.of("upkeep", records.upkeep),
      sounds: calls.of("sounds", await DiskSoundStore.open(this.#disk.path, files)),
      changes: records.changes,
      clock: this.clock,
      randomBytes: (count) => this.#draw(count),
    });
  }

  /** The same bytes in every run, and never the same ones twice in a run. */
  #draw(count: number): Uint8Array {
    this.#drawn += 1;
    const digest = createHash("shake256", { outputLength: count });
    return digest.update(String(this.#drawn)).digest();
  }
}
