import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ControlAddress, ControlClient } from "../../addon/control/control-client.ts";
import { Lost } from "../relay/crash/killable-relay.ts";
import { checkSet, checkSettled } from "./check-set.ts";
import { KillableProcess } from "./killable-process.ts";
import { type CrashSite, Sender } from "./sender.ts";

/** How often the relay is killed as well, before the importer. */
const RELAY_KILLS = 0.2;
/** How often the importer is killed again while it starts and resumes. */
const SECOND_KILLS = 0.3;
const LONGEST_RESUMING_MS = 800;
const MOST_PACKAGES = 3;

/** A computer with a real importer in a process of its own, which imports what its app sends. */
export class Studio implements AsyncDisposable {
  readonly #site: CrashSite;
  readonly #app: Sender;
  readonly #folder: string;
  readonly #process: KillableProcess;

  private constructor(site: CrashSite, who: string, folder: string, process: KillableProcess) {
    this.#site = site;
    this.#app = new Sender(site, who);
    this.#folder = folder;
    this.#process = process;
  }

  /** Starts an importer in an empty folder and pairs its app. */
  static async open(site: CrashSite, who: string, folder: string): Promise<Studio> {
    await mkdir(folder, { recursive: true });
    const process = new KillableProcess({
      script: join(import.meta.dirname, "importer-process.ts"),
      cacheFolder: site.relay.cacheFolder,
      environment: {
        SOUNDFERRY_RELAY_URL: site.relay.url,
        SOUNDFERRY_IMPORTER_DATA: join(folder, "data"),
        SOUNDFERRY_SOUNDS: join(folder, "sounds"),
        SOUNDFERRY_PANEL_PORT: "0",
        SOUNDFERRY_DEVICE_NAME: who,
      },
    });
    const studio = new Studio(site, who, folder, process);
    try {
      await studio.#pair(JSON.parse(await process.start()));
    } catch (error) {
      await process[Symbol.asyncDispose]();
      throw error;
    }
    return studio;
  }

  /** How often its importer was killed so far. */
  get kills(): number {
    return this.#process.kills;
  }

  /**
   * Kills the importer at a random moment while it imports, starts it again, and checks that everything arrives
   * once, whole, and reported.
   */
  async killImporter({ longestLifeMs }: { readonly longestLifeMs: number }): Promise<void> {
    const site = this.#site;
    const { random, relay } = site;
    const sending = this.#sendSome(1 + Math.floor(random() * MOST_PACKAGES));
    const isRelayKilled = random() < RELAY_KILLS;
    await sleep(random() * longestLifeMs);
    if (isRelayKilled) await relay.kill();
    await sleep(isRelayKilled ? random() * longestLifeMs : 0);
    await this.#killAndLook();
    if (isRelayKilled) await relay.restart();
    while (random() < SECOND_KILLS) {
      this.#process.begin();
      await sleep(random() * LONGEST_RESUMING_MS);
      await this.#killAndLook();
    }
    await this.#process.start();
    await sending;
    await this.#finishSending();
    await this.#expectReported();
    await checkSettled(site, this.#app.facts, this.#folder);
  }

  /** Stops the importer and deletes its folder. */
  async close(): Promise<void> {
    await this[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Stops the importer; its folder stays. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#process[Symbol.asyncDispose]();
  }

  async #pair(address: ControlAddress): Promise<void> {
    const client = new ControlClient(address);
    try {
      const { code } = await client.pairingCode();
      await this.#app.pair(code);
    } finally {
      client.close();
    }
  }

  async #sendSome(count: number): Promise<void> {
    try {
      for (let sent = 0; sent < count; sent += 1) {
        const key = await this.#app.pack();
        await this.#app.announce(key);
        await this.#app.finish(key);
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }

  async #finishSending(): Promise<void> {
    const { packages } = this.#app.facts;
    for (const { key, possibleStates } of packages) {
      if (possibleStates.includes("imported")) continue;
      // An answer that got lost may have committed it.
      const { id } = this.#app.package(key);
      const isCommitted = id !== undefined && (await this.#readStatus(id)) !== "uploading";
      if (!isCommitted) await this.#app.finish(key);
    }
  }

  /** Every package that was sent is imported, and its app can read that. */
  async #expectReported(): Promise<void> {
    const { who, site, facts } = this.#app;
    for (const { key, id = "", possibleStates } of facts.packages) {
      if (possibleStates.length === 1 && possibleStates[0] === "imported") continue;
      await site.checks.becomes(`${key} is reported`, () => this.#readStatus(id), "imported");
      await site.ledger.note({ who, kind: "is", key, state: "imported" });
    }
  }

  async #readStatus(id: string): Promise<string> {
    const { json } = await this.#app.ask(200, "GET", `/packages/${id}/status`, this.#app.asApp());
    return json.status;
  }

  async #killAndLook(): Promise<void> {
    await this.#process.kill();
    await checkSet(this.#site, this.#app.facts, this.#folder);
  }
}
