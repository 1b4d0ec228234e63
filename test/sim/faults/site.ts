import { mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { buildImporter } from "../../../addon/build-importer.ts";
import { PreviewHost } from "../../../addon/hosts/preview/preview-host.ts";
import type { Importer } from "../../../addon/importer.ts";
import type { ImportAllOutcome } from "../../../addon/runs/importer-calls.ts";
import type { ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { settingsIn } from "../../addon/importer-at-work.ts";
import { App } from "../app.ts";
import { checkApps } from "../check-app.ts";
import type { PackageFacts } from "../ledger.ts";
import { HttpCutter } from "../http-cutter.ts";
import { type Ending, StartRefused } from "../killable-process.ts";
import { RelayCommand } from "../relay-command.ts";
import { within } from "../real-time.ts";
import {
  type Answer,
  type CallOptions,
  fetchAnswer,
  Lost,
  worldOf,
  WrongAnswer,
} from "../world.ts";
import { PrivateDisk } from "../private-disk.ts";
import { soon } from "../soon.ts";
import { WHOLE_FORMS } from "../../whole-forms.ts";

/** Number of packages that are sent and imported after each fault. */
const HONEST = Number(process.env["FAULTS_HONEST"] ?? (WHOLE_FORMS ? 10 : 2));
const SENDERS = 4;
/** Time that a package waits here. Less than the hour from which a step of the clock has to be proven. */
const WAIT_SECONDS = 1800;

export interface SiteOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The size of the relay's disk, which is then its own. Needs the right to mount one. */
  readonly diskSize?: string;
}

/** A relay, an app and an importer on the preview, each with real files and sockets, and what they were promised. */
export class Site implements AsyncDisposable {
  readonly folder: string;
  readonly proxy: HttpCutter;
  readonly app: App;
  importer: Importer;
  readonly #disk: PrivateDisk | undefined;
  readonly #settings: Readonly<Record<string, string>>;
  readonly #outcomes = new Map<string, ImportOutcome>();
  #relay: RelayCommand | undefined;
  #shiftMs = 0;

  private constructor(
    folder: string,
    { settings = {} }: SiteOptions,
    { proxy, disk }: Pick<Site, "proxy"> & { readonly disk: PrivateDisk | undefined },
  ) {
    this.folder = folder;
    this.proxy = proxy;
    this.#disk = disk;
    this.#settings = settings;
    this.importer = this.#buildImporter();
    const call = this.call.bind(this);
    this.app = new App(worldOf({ call, wasClockWrong: true }), "Looper");
  }

  static async open(options: SiteOptions = {}): Promise<Site> {
    const folder = await mkdtemp(join(await realpath(tmpdir()), "soundferry-fault-"));
    const { diskSize } = options;
    const disk =
      diskSize === undefined ? undefined : await PrivateDisk.mount(join(folder, "disk"), diskSize);
    const proxy = await HttpCutter.to("http://127.0.0.1:9");
    const site = new Site(folder, options, { proxy, disk });
    await site.shiftClock(0);
    await site.start();
    await site.app.pair((await site.importer.pairingCode()).code);
    return site;
  }

  /** The relay's own disk. */
  get disk(): PrivateDisk {
    if (this.#disk === undefined) throw new Error("The relay has no disk of its own.");
    return this.#disk;
  }

  /** The relay's data folder, as the test reaches it. */
  get data(): string {
    return join(this.#disk?.outside ?? join(this.folder, "disk"), "data");
  }

  get database(): string {
    return join(this.data, "relay.sqlite");
  }

  get relay(): RelayCommand {
    if (this.#relay === undefined) throw new Error("The relay doesn't run.");
    return this.#relay;
  }

  /** Number of files that the relay keeps for packages. */
  get fileCount(): number {
    return this.app.world.ledger.promisedSounds;
  }

  get waiting(): readonly PackageFacts[] {
    return this.app.facts.packages.filter(({ states: [state] }) => state === "waiting");
  }

  /** @throws {StartRefused} */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#relay = await RelayCommand.start(
      {
        SOUNDFERRY_DATA: join(this.folder, "disk", "data"),
        SOUNDFERRY_WAIT_WINDOW_S: String(WAIT_SECONDS),
        SHIFTED_DATE_FILE: join(this.folder, "clock"),
        ...this.#settings,
        ...more,
      },
      this.#disk?.within,
    );
    this.proxy.aimAt(this.#relay.url);
  }

  /** Starts a relay that has to refuse. */
  async refusedStart(more?: Readonly<Record<string, string>>): Promise<Ending> {
    try {
      await this.start(more);
    } catch (error) {
      if (error instanceof StartRefused) return error.ending;
      throw error;
    }
    throw new Error("The relay started.");
  }

  async stop(signal?: NodeJS.Signals): Promise<Ending> {
    const ending = await this.relay.stop(signal);
    this.#relay = undefined;
    return ending;
  }

  /** Waits until the relay ends on its own. */
  async ended(): Promise<Ending> {
    const ending = await this.relay.ended;
    this.#relay = undefined;
    return ending;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Lets something happen while the relay runs, or while it is stopped for that. */
  async meet(isBefore: boolean, happen: () => Promise<unknown>): Promise<void> {
    if (isBefore) await this.stop();
    await happen();
    if (isBefore) await this.start();
  }

  /** Sets the relay's clock: milliseconds from where it is. */
  async shiftClock(ms: number): Promise<void> {
    this.#shiftMs += ms;
    await writeFile(join(this.folder, "clock"), String(this.#shiftMs));
  }

  /** The wait of every package of the ledger is over. */
  async passWait(): Promise<void> {
    await this.shiftClock((WAIT_SECONDS + 60) * 1000);
    for (const { key, states } of this.app.facts.packages) {
      if (states[0] === "waiting") await this.app.note({ key, is: "expired" });
      if (states[0] !== "uploading") await this.app.note({ key, isEmpty: true });
    }
  }

  /** @throws {Lost} if there is no answer */
  async call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const url = (this.#relay?.url ?? "http://127.0.0.1:9") + path;
    return fetchAnswer(url, { method, ...options }).catch((cause: unknown) => {
      throw new Lost(`${method} ${path}`, { cause });
    });
  }

  /** The answer that refuses something; status 0 if there was none, 200 if it was not refused. */
  async refusal(work: Promise<unknown>): Promise<Partial<Answer>> {
    try {
      await work;
      return { status: 200 };
    } catch (error) {
      if (error instanceof Lost) return { status: 0 };
      if (error instanceof WrongAnswer) return error.answer;
      throw error;
    }
  }

  /** Sends a package. Returns the answer that refuses it. */
  refusedSend(): Promise<Partial<Answer>> {
    return this.refusal(this.app.send(["a.wav"], 100));
  }

  /** Packages that wait. @throws {WrongAnswer} if one is refused */
  async sendWaiting(count: number, names = ["a.wav"], frames = 100): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) await this.app.send(names, frames + 40 * sent);
  }

  async ready(): Promise<Answer> {
    return this.call("GET", "/readyz");
  }

  /** Imports what waits. */
  async import(by = this.importer): Promise<ImportAllOutcome> {
    const outcome = await by.importAll();
    for (const one of outcome.packages) {
      const { key = "" } = this.app.facts.packages.find(({ id }) => id === one.package_id) ?? {};
      await this.app.note({ key, is: one.status === "imported" ? "imported" : "partial" });
      this.#outcomes.set(key, one);
    }
    return outcome;
  }

  /** Closes the importer and opens one on the same folders. */
  async reopenImporter(): Promise<void> {
    await this.importer.close();
    this.importer = this.#buildImporter();
  }

  #buildImporter(): Importer {
    const settings = settingsIn(this.folder, this.proxy.url);
    const host = new PreviewHost(join(settings.dataFolder, "preview-session.json"));
    return buildImporter({ settings, host });
  }

  /** The relay's files of sounds: those in their place, or those in the quarantine. */
  async filesIn(name: "sounds" | "quarantine"): Promise<readonly string[]> {
    const files = await filesBelow(join(this.data, "sounds")).catch(() => []);
    return files.filter(
      (path) =>
        !path.endsWith("/instance") && path.includes(".quarantine") === (name === "quarantine"),
    );
  }

  /**
   * Expects a sound relay after a fault: packages are sent and imported again within a minute, nothing that was
   * acknowledged is lost, nothing partial is visible, every state is true, and no bytes are left over.
   */
  async expectAllIsWell(): Promise<void> {
    const { world } = this.app;
    const counts = Array.from({ length: SENDERS }, (_, at) => Math.ceil((HONEST - at) / SENDERS));
    const sending = async () => {
      await Promise.all(counts.map((count) => this.sendWaiting(count)));
      return this.import();
    };
    expect((await within(60_000, sending())).failures).toEqual([]);
    expect(this.waiting).toEqual([]);
    await checkApps(world);
    await this.#expectRightImports();
    const imported = await filesBelow(join(this.folder, "sounds"));
    const known =
      /\/(\.soundferry\.json|\.soundferry-sounds|manifest\.json|[^/]+\.(wav|dawproject))$/;
    expect(imported.filter((path) => !known.test(path))).toEqual([]);
    await this.expectNoFileLeft();
    await soon(() => this.ready()).toMatchObject({ status: 200, json: { notices: [] } });
  }

  /** The relay has as many files as the ledger has sounds, and some that can't go yet. */
  async expectNoFileLeft(stuck = 0): Promise<void> {
    await soon(() => this.filesIn("sounds")).toHaveLength(this.fileCount + stuck);
  }

  /** Every imported sound is in the importer's folder as it was sent. */
  async #expectRightImports(): Promise<void> {
    for (const [key, { folder, tracks }] of this.#outcomes) {
      const names = Object.keys(this.app.package(key).files);
      for (const { file, id, status } of tracks) {
        if (status !== "imported") continue;
        const bytes = await readFile(join(folder ?? "", file ?? ""));
        const isRight = bytes.equals(this.app.bytesOf(key, names[Number(id) - 1] ?? ""));
        this.app.world.checks.holds(`${key}: sound ${id} is imported as it was sent`, isRight);
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.importer.close();
    await this.#relay?.stop("SIGKILL");
    await this.proxy[Symbol.asyncDispose]();
    await this.#disk?.[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => join(parentPath, name));
}
