import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildImporter } from "../../addon/build-importer.ts";
import { PreviewHost } from "../../addon/hosts/preview/preview-host.ts";
import type { Importer } from "../../addon/importer.ts";
import type { ImportAllOutcome } from "../../addon/runs/import-all.ts";
import { settingsIn } from "../addon/importer-at-work.ts";
import { FaultyProxy } from "../e2e/faulty-proxy.ts";
import { describe } from "../relay/running-relay.ts";
import { type Entry, Ledger } from "./ledger.ts";
import { PrivateDisk } from "./private-disk.ts";
import { type Ending, StartRefused } from "../sim/killable-process.ts";
import { RelayCommand } from "../sim/relay-command.ts";

export interface SiteOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The size of the relay's disk, which is then its own. Needs the right to mount one. */
  readonly diskSize?: string;
}

/** How long a package waits here. Less than the hour from which a step of the clock has to be proven. */
const WAIT_SECONDS = 1800;

/** An answer; the status is 0 if there was none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- a test looks into answers of every shape
  readonly json: any;
}

/** A relay, an app and an importer on the preview, each with real files and sockets, and what they were promised. */
export class Site implements AsyncDisposable {
  readonly ledger = new Ledger();
  readonly folder: string;
  readonly proxy: FaultyProxy;
  readonly disk: PrivateDisk | undefined;
  importer: Importer;
  token = "";
  readonly #settings: Readonly<Record<string, string>>;
  #relay: RelayCommand | undefined;
  #shiftMs = 0;

  private constructor(folder: string, options: SiteOptions, parts: Pick<Site, "proxy" | "disk">) {
    this.folder = folder;
    this.proxy = parts.proxy;
    this.disk = parts.disk;
    this.#settings = options.settings ?? {};
    this.importer = this.#buildImporter();
  }

  static async open(options: SiteOptions = {}): Promise<Site> {
    const folder = await mkdtemp(join(await realpath(tmpdir()), "soundferry-fault-"));
    const { diskSize } = options;
    const disk =
      diskSize === undefined ? undefined : await PrivateDisk.mount(join(folder, "disk"), diskSize);
    const proxy = await FaultyProxy.listen("http://127.0.0.1:9");
    const site = new Site(folder, options, { proxy, disk });
    await site.shiftClock(0);
    await site.start();
    const { code } = await site.importer.pairingCode();
    const claim = { code, app_name: "Looper", app_id: "app-1" };
    site.token = (await site.call("POST", "/pair/claim", claim)).json.app_token;
    return site;
  }

  /** The relay's data folder, as the test reaches it. */
  get data(): string {
    return join(this.disk?.outside ?? join(this.folder, "disk"), "data");
  }

  get relay(): RelayCommand {
    if (this.#relay === undefined) throw new Error("The relay doesn't run.");
    return this.#relay;
  }

  /** @throws {StartRefused} */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    this.#relay = await RelayCommand.start(
      {
        SOUNDFERRY_DATA: join(this.folder, "disk", "data"),
        SOUNDFERRY_WAIT_WINDOW_S: String(WAIT_SECONDS),
        SHIFTED_DATE_FILE: this.#shiftFile,
        ...this.#settings,
        ...more,
      },
      this.disk?.within,
    );
    this.proxy.aimAt(this.#relay.url);
  }

  /** Starts a relay that has to refuse. */
  async refusedStart(more: Readonly<Record<string, string>> = {}): Promise<Ending> {
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

  /** How the relay ends on its own. */
  async ended(): Promise<Ending> {
    const ending = await this.relay.ended;
    this.#relay = undefined;
    return ending;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  get #shiftFile(): string {
    return join(this.folder, "clock");
  }

  /** Sets the relay's clock: milliseconds from where it is. */
  async shiftClock(ms: number): Promise<void> {
    this.#shiftMs += ms;
    await writeFile(this.#shiftFile, String(this.#shiftMs));
  }

  /** The wait of every package of the ledger is over. */
  async passWait(): Promise<void> {
    await this.shiftClock((WAIT_SECONDS + 60) * 1000);
    this.ledger.waitIsOver();
  }

  async call(method: string, path: string, body?: object, token?: string): Promise<Answer> {
    const answer = await fetch((this.#relay?.url ?? "http://127.0.0.1:9") + path, {
      method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
    }).catch(() => undefined);
    const json: unknown = await answer?.json().catch(() => undefined);
    return { status: answer?.status ?? 0, headers: answer?.headers ?? new Headers(), json };
  }

  /** A call of the app. */
  ask(method: string, path: string, body?: object): Promise<Answer> {
    return this.call(method, path, body, this.token);
  }

  async announce(names: readonly string[] = ["a.wav"], frames?: number): Promise<Entry | Answer> {
    const files = this.ledger.makeFiles(names, frames);
    const items = [...files].map(([name, bytes]) => describe(name, bytes));
    const answer = await this.ask("POST", "/packages", { schema: "app2host/1", items });
    return answer.status === 201 ? this.ledger.announced(answer.json.package_id, files) : answer;
  }

  async upload(entry: Entry, name: string): Promise<Answer> {
    const path = `/packages/${entry.id}/files/${name}`;
    const answer = await this.ask("PUT", path, entry.files.get(name));
    if (answer.status === 200) entry.uploaded.add(name);
    return answer;
  }

  async commit(entry: Entry): Promise<Answer> {
    const answer = await this.ask("POST", `/packages/${entry.id}/commit`);
    if (answer.status === 200) entry.state = "waiting";
    return answer;
  }

  async withdraw(entry: Entry): Promise<Answer> {
    const answer = await this.ask("DELETE", `/packages/${entry.id}`);
    if (answer.status === 200) entry.state = "gone";
    return answer;
  }

  /** Announces, uploads and commits a package. Returns the last answer: the first that refuses it. */
  async send(names?: readonly string[], frames?: number): Promise<Answer> {
    const entry = await this.announce(names, frames);
    if (!("id" in entry)) return entry;
    for (const name of entry.files.keys()) {
      const answer = await this.upload(entry, name);
      if (answer.status !== 200) return answer;
    }
    return this.commit(entry);
  }

  /** Packages that wait. @throws {Error} if one is refused */
  async sendWaiting(count: number, names?: readonly string[], frames?: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 1) {
      const { status, json } = await this.send(names, frames);
      if (status !== 200) throw new Error(`The package was refused: ${status} ${json?.error}`);
    }
  }

  /** Imports what waits. */
  async import(): Promise<ImportAllOutcome> {
    const outcome = await this.importer.importAll();
    this.ledger.imported(outcome.packages);
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
    const root = join(this.data, "sounds");
    const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    return found
      .filter((entry) => entry.isFile() && entry.name !== "instance")
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => path.includes(".quarantine") === (name === "quarantine"));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.importer.close();
    await this.#relay?.stop("SIGKILL");
    await this.proxy.close();
    await this.disk?.[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}
