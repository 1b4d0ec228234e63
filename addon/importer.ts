import type { AppsAnswer, PairingCodeAnswer } from "../core/protocol/importer-api.ts";
import type { ImportOutcome } from "../core/protocol/import-outcome.ts";
import { AutoImport } from "./runs/auto-import.ts";
import type { OwnHost } from "./runs/own-host.ts";
import type { HostRegistry } from "./hosts/host-registry.ts";
import { importAll, type ImportAllOutcome, type PackagesToImport } from "./runs/import-all.ts";
import type { ImportAllOptions, ImportOptions } from "./runs/import-options.ts";
import type { Journals } from "./runs/journal.ts";
import type { ImportRuns } from "./runs/import-runs.ts";
import type { ImporterState } from "./state/importer-state.ts";
import type { InboxSync } from "./packages/inbox-sync.ts";
import type { KeptFilesSync } from "./runs/kept-files-sync.ts";
import { RelayError, RelayUnreachableError } from "./relay/relay-errors.ts";
import type { PackageFinder } from "./packages/package-finder.ts";
import type { OpenedSound, PackagePlan, PackagePlans } from "./packages/package-plans.ts";
import type { RelayConnection } from "./relay/relay-connection.ts";
import { sentenceOf } from "../core/text/sentence-of.ts";
import { cleanDeviceName, DEVICE_NAME_VARIABLE } from "./settings.ts";
import type { StateStore } from "./state/state-store.ts";
import type { Timers } from "./concurrency/timers.ts";

/** The calls of an importer, of one in this process or in another (rule R3). */
export interface ImporterCalls {
  /** A new code; it replaces the previous one. */
  pairingCode(): Promise<PairingCodeAnswer>;
  apps(): Promise<AppsAnswer>;
  unpair(pairingId: string): Promise<void>;
  /** Renames this computer; gives the name that apps see. */
  rename(deviceName: string): Promise<string>;
  packages(): Promise<PackagesToImport>;
  /**
   * Imports one package. Whoever asks for one that is being imported already shares that run's
   * outcome, and can't cancel it.
   * @param source the id of a package that the relay or the inbox has, or the path of a folder
   * @throws {Error} with a sentence when nothing of it could be imported at all
   */
  import(source: string, options?: ImportOptions): Promise<ImportOutcome>;
  /** Imports every package that waits, and every inbox package that is new to the host, one by one. */
  importAll(options?: ImportAllOptions): Promise<ImportAllOutcome>;
}

export interface ImporterDeps {
  readonly store: StateStore;
  readonly relay: RelayConnection;
  readonly inbox: InboxSync;
  readonly keptFiles: KeptFilesSync;
  readonly host: OwnHost;
  readonly hosts: HostRegistry;
  readonly finder: PackageFinder;
  readonly plans: PackagePlans;
  readonly runs: ImportRuns;
  readonly journals: Pick<Journals, "prune">;
  /** Keeps the text of a setting for the next start, by its variable's name. */
  readonly keepSetting: (variable: string, text: string) => void;
  readonly isAutomatic: boolean;
  readonly timers: Timers;
}

/**
 * The importer: one relay at a time, one inbox folder, one host of its own. Its calls work at once, relay or no
 * relay; `start` adds what a long-running one does automatically. `buildImporter` makes one.
 */
export class Importer implements ImporterCalls, AsyncDisposable {
  readonly #deps: ImporterDeps;
  readonly #auto: AutoImport;
  #isStarted = false;

  constructor(deps: ImporterDeps) {
    this.#deps = deps;
    const { store, timers } = deps;
    this.#auto = new AutoImport({
      listNew: () => this.listNew(),
      importOne: (packageId) => this.#importNew(packageId, {}),
      onTrouble: (error) => store.change({ diskTrouble: sentenceOf(error) }),
      timers,
    });
  }

  get state(): ImporterState {
    return this.#deps.store.state;
  }

  /** Calls the listener after each change, with a state that never changes; gives what ends it. */
  subscribe(listener: (state: ImporterState) => void): () => void {
    return this.#deps.store.subscribe(listener);
  }

  /** Connects to the relay in the background, watches the inbox, and imports automatically where that is set. */
  async start(): Promise<void> {
    const { store, relay, inbox, keptFiles, runs, journals, isAutomatic } = this.#deps;
    this.#isStarted = true;
    // Before the first run; what can't be pruned now may be so at the next start.
    runs.runExclusive(() => journals.prune()).catch(() => undefined);
    if (isAutomatic) store.subscribe((state) => this.#auto.notice(state));
    relay.connect();
    keptFiles.refresh();
    await inbox.start();
  }

  pairingCode(): Promise<PairingCodeAnswer> {
    return this.#deps.relay.pairingCode();
  }

  apps(): Promise<AppsAnswer> {
    return this.#deps.relay.readApps();
  }

  unpair(pairingId: string): Promise<void> {
    return this.#deps.relay.unpair(pairingId);
  }

  /** A relay that can't be reached gets the name at the next connect. */
  async rename(deviceName: string): Promise<string> {
    const { relay, store, keepSetting } = this.#deps;
    const name = cleanDeviceName(deviceName);
    const known = await relay.rename(name).catch((error: unknown) => {
      if (error instanceof RelayUnreachableError) return name;
      throw error;
    });
    keepSetting(DEVICE_NAME_VARIABLE, known);
    store.change({ deviceName: known });
    return known;
  }

  /**
   * Switches to another relay, once it has answered as one, and keeps its address (rule N4).
   * @param address as a person writes it
   * @throws {Error} with a sentence when it can't be used, or can't be changed now
   */
  setRelay(address: string): Promise<void> {
    return this.#deps.relay.switchTo(address);
  }

  /** Ids of the known packages that its own host does not have yet, the one that was committed first before the others. */
  listNew(): Promise<readonly string[]> {
    return this.#deps.finder.listNew(this.state);
  }

  async packages(): Promise<PackagesToImport> {
    const { relay, inbox } = this.#deps;
    const local = await inbox.read();
    try {
      const { packages } = await relay.readPackages();
      return { packages, local };
    } catch (error) {
      if (!(error instanceof RelayError || error instanceof RelayUnreachableError)) throw error;
      return { packages: [], local, relay_error: error.message };
    }
  }

  async import(source: string, options: ImportOptions = {}): Promise<ImportOutcome> {
    const { finder, hosts, runs } = this.#deps;
    const host = await hosts.open(options.host);
    try {
      return await runs.run(await finder.find(source), host, options);
    } finally {
      this.#refresh();
    }
  }

  /**
   * Starts an import in the background: only `cancelRun` ends it early. Resolves when the run is
   * in the state; what it comes to will be in `state.finished`.
   * @throws {Error} with a sentence when there is no such package, or no such host
   */
  async beginRun(source: string, options: Omit<ImportOptions, "signal"> = {}): Promise<void> {
    const { finder, hosts, runs } = this.#deps;
    const host = await hosts.open(options.host);
    const found = await finder.find(source);
    const settle = () => this.#refresh();
    runs.run(found, host, options).then(settle, settle);
  }

  /** Cancels what works or waits of a package, at every host; false where nothing does. */
  cancelRun(packageId: string): boolean {
    return this.#deps.runs.cancel(packageId);
  }

  async importAll(options: ImportAllOptions = {}): Promise<ImportAllOutcome> {
    const { finder, hosts, inbox } = this.#deps;
    const host = await hosts.open(options.host);
    return importAll({
      relay: this.state.connection.relayUrl ?? "the relay",
      listPackages: async ({ withRelay }) =>
        withRelay ? this.packages() : { packages: [], local: await inbox.read() },
      listNew: (found) => finder.listNew(found, host.name),
      importOne: (packageId) => this.#importNew(packageId, options),
      signal: options.signal,
    });
  }

  /**
   * What a package will become (rule N6): nothing is taken, written or placed.
   * @throws {Error} with a sentence when there is no such package, or its sounds can't be reached
   */
  plan(packageId: string): Promise<PackagePlan> {
    return this.#deps.plans.plan(packageId);
  }

  /**
   * Opens a sound to be listened to (rule N6). Aborting the signal closes the body.
   * @throws {Error} with a sentence when there is no such sound, or it can't be had
   */
  openSound(packageId: string, soundId: string, signal: AbortSignal): Promise<OpenedSound> {
    return this.#deps.plans.openSound(packageId, soundId, signal);
  }

  /** Reads the session's tempo into the state. */
  lookAtHost(): Promise<void> {
    return this.#deps.host.refreshTempo();
  }

  /** Changes a setting of the host and keeps it for the next start; false where it declares no such setting. */
  setHostSetting(id: string, value: boolean): boolean {
    return this.#deps.host.change(id, value);
  }

  /** @deprecated Call `setHostSetting`. */
  setCorrectsTempo(isOn: boolean): void {
    this.setHostSetting("correct-tempo", isOn);
  }

  /** Deletes what no host plays from the sounds folder, when the runs before it are over (rule F6). */
  clearKeptFiles(): Promise<void> {
    return this.#deps.keptFiles.clear();
  }

  /** Cancels what runs, closes every connection; resolves when all is quiet. */
  async close(): Promise<void> {
    const { relay, inbox, keptFiles, runs } = this.#deps;
    this.#auto.stop();
    // At once, so that the runs which are cancelled now ask for nothing more.
    const reads = Promise.all([inbox.close(), keptFiles.close()]);
    await runs.close();
    await Promise.all([reads, relay.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #importNew(packageId: string, options: ImportAllOptions) {
    const { finder, hosts, runs } = this.#deps;
    const host = await hosts.open(options.host);
    try {
      return await runs.runIfNew(await finder.find(packageId), host, options);
    } finally {
      this.#refresh();
    }
  }

  /** An importer that was not started reads what it needs at each call. */
  #refresh(): void {
    if (!this.#isStarted) return;
    const { relay, inbox, keptFiles, host } = this.#deps;
    inbox.refresh();
    keptFiles.refresh();
    relay.refresh();
    void host.refreshTempo();
  }
}
