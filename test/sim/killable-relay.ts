import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KillableProcess } from "./killable-process.ts";
import { ROOMY_LIMITS, SHIFTED_DATE } from "./settings.ts";
import {
  type Answer,
  type CallOptions,
  type Checks,
  type CrashedRelay,
  type CrashedStores,
  fetchAnswer,
  Lost,
} from "./world.ts";

const SETTINGS = {
  ...ROOMY_LIMITS,
  SOUNDFERRY_PORT: "0",
  SOUNDFERRY_LOG_LEVEL: "error",
  SOUNDFERRY_MIN_FREE_BYTES: "0",
  SOUNDFERRY_BALLAST_BYTES: "65536",
};

/** A relay in a separate process, on a folder that outlives it. */
export class KillableRelay implements CrashedRelay {
  /** The relay's data folder. */
  readonly folder: string;
  readonly stores: SqliteStores;
  readonly #process: KillableProcess;
  readonly #isOwnFolder: boolean;
  #url = "";
  #wasClockWrong = false;

  private constructor(
    folder: string,
    settings: Readonly<Record<string, string>>,
    isOwnFolder: boolean,
  ) {
    this.folder = folder;
    this.stores = new SqliteStores(folder);
    this.#isOwnFolder = isOwnFolder;
    this.#process = new KillableProcess({
      script: join(import.meta.dirname, "relay-process.ts"),
      preload: [SHIFTED_DATE],
      isWarm: true,
      cacheFolder: this.cacheFolder,
      environment: {
        ...SETTINGS,
        SOUNDFERRY_DATA: folder,
        SHIFTED_DATE_FILE: this.#shiftFile,
        ...settings,
      },
    });
  }

  /** @param folder the data folder; without it a temporary one, which is deleted in the end */
  static async start(
    settings: Readonly<Record<string, string>> = {},
    folder?: string,
  ): Promise<KillableRelay> {
    if (folder !== undefined) await mkdir(folder, { recursive: true });
    const used = folder ?? (await mkdtemp(join(tmpdir(), "soundferry-crash-")));
    await writeFile(`${used}.clock`, "0");
    const relay = new KillableRelay(used, settings, folder === undefined);
    await relay.restart();
    return relay;
  }

  get kills(): number {
    return this.#process.kills;
  }

  get url(): string {
    return this.#url;
  }

  /** True if the clock of its machine was ever wrong. A lease ends when the clock jumps ahead (rule Z6). */
  get wasClockWrong(): boolean {
    return this.#wasClockWrong;
  }

  /** Sets the clock of its machine, at once: milliseconds from the right time. */
  async shiftDate(ms: number): Promise<void> {
    this.#wasClockWrong ||= ms !== 0;
    await writeFile(`${this.#shiftFile}.new`, String(ms));
    await rename(`${this.#shiftFile}.new`, this.#shiftFile);
  }

  get #shiftFile(): string {
    return `${this.folder}.clock`;
  }

  get cacheFolder(): string {
    return `${this.folder}.compiled`;
  }

  /** Starts a new process on the previous one's folder. */
  async restart(): Promise<void> {
    this.#url = await this.#process.start();
  }

  beginRestart(): void {
    this.#process.begin();
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
    if (!this.#isOwnFolder) return;
    for (const path of [this.folder, this.#shiftFile, this.cacheFolder]) {
      await rm(path, { recursive: true, force: true });
    }
  }

  /** @throws {Lost} if the relay was killed before its answer was complete */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { life } = this.#process;
    try {
      return await fetchAnswer(this.#url + path, { method, ...options });
    } catch (error) {
      const isSameLife = life === this.#process.life && this.#process.isRunning;
      if (isSameLife) throw error;
      throw new Lost(`${method} ${path}`, { cause: error });
    }
  }
}

/** A relay's folder, looked into from another process. */
class SqliteStores implements CrashedStores {
  readonly #folder: string;

  /** @param folder the relay's data folder */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async check(checks: Checks, promisedSounds: number): Promise<void> {
    using database = this.#open();
    const doomed = database.prepare("SELECT key, state FROM sound_keys");
    await checks.becomes("What the kill left is swept", async () => doomed.all().length, 0);
    const list = () => readdir(join(this.#folder, "sounds"), { recursive: true });
    const parts = (await list()).filter((file) => file.endsWith(".part"));
    checks.same("No unfinished file is left", parts, []);
    // An upload that was finished, but not recorded, goes into the quarantine with a sweep (rule J2).
    const stored = async () =>
      (await list()).filter((file) => !file.startsWith(".quarantine") && file.includes("snd_"))
        .length;
    await checks.becomes("As many files as sounds", stored, promisedSounds);
  }

  async checkWhole(checks: Checks): Promise<void> {
    using database = this.#open();
    const found = database.prepare("PRAGMA integrity_check").all();
    checks.same("The database is whole", { ...found[0] }, { integrity_check: "ok" });
    const orphans = database.prepare("PRAGMA foreign_key_check").all().length;
    checks.same("Every row belongs to one", orphans, 0);
  }

  #open(): DatabaseSync {
    return new DatabaseSync(join(this.#folder, "relay.sqlite"), { readOnly: true });
  }
}
