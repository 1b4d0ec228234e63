import type {
  AppsAnswer,
  PairingCodeAnswer,
  PairingReply,
  PairingRequestAnswer,
} from "../core/protocol/importer-api.ts";
import type { ImportOutcome } from "../core/protocol/import-outcome.ts";
import { AutoImport } from "./runs/auto-import.ts";
import { DiskError, toDiskError } from "./disk/disk-error.ts";
import { AllPackages } from "./runs/all-packages.ts";
import type { ImporterDeps } from "./importer-deps.ts";
import type {
  ImportAllOptions,
  ImportOptions,
  ImporterCalls,
  PackagesToImport,
  ImportAllOutcome,
  Dismissal,
} from "./runs/importer-calls.ts";
import type { SoundsFolderSetting } from "./runs/sounds-folder-setting.ts";
import type { LanSync } from "./relay/lan-switch.ts";
import type { LiveSync } from "./runs/live-sync.ts";
import type { ImporterState } from "./state/importer-state.ts";
import type { MovedAnswer } from "./relay/relay-identity.ts";
import { RelayUnreachableError } from "./relay/relay-errors.ts";
import type { PackagePlan } from "../core/panel/panel-plan.ts";
import type { OpenedSound } from "./packages/package-plans.ts";
import type { PairingCodes } from "./relay/pairing-codes.ts";
import { sentenceOf } from "../core/text/sentence-of.ts";
import { cleanDeviceName, DEVICE_NAME_VARIABLE } from "./settings.ts";

export type { ImporterCalls };

/**
 * The importer, which `buildImporter` makes: one relay at a time, one inbox folder, one current host of its own.
 * Calls work at once, even without a relay; `start` adds the background work of a long-running importer.
 */
export class Importer implements ImporterCalls, AsyncDisposable {
  readonly #deps: ImporterDeps;
  readonly #auto: AutoImport;
  readonly #packages: AllPackages;
  #isStarted = false;

  constructor(deps: ImporterDeps) {
    this.#deps = deps;
    const { store, timers } = deps;
    this.#packages = new AllPackages(deps, this.#refresh);
    this.#auto = new AutoImport({
      listNew: () => this.listNew(),
      importOne: (packageId) => this.#packages.importNew(packageId),
      onTrouble: (error) => store.change({ diskTrouble: sentenceOf(toDiskError(error)) }),
      timers,
    });
  }

  get state(): ImporterState {
    return this.#deps.store.state;
  }

  /** Calls the listener with a snapshot after each change; the returned function unsubscribes. */
  subscribe(listener: (state: ImporterState) => void): () => void {
    return this.#deps.store.subscribe(listener);
  }

  /** Connects to the relay in the background, watches the inbox, and imports automatically if configured. */
  async start(): Promise<void> {
    const { store, relay, inbox, keptFiles, lan, host, runs, isAutomatic } = this.#deps;
    this.#isStarted = true;
    runs.lateLooks.start(this.#refresh);
    inbox.followHost();
    // Queued before the first run; a failure can wait for the next start.
    runs.runExclusive(this.#deps.pruneJournals).catch(() => undefined);
    runs.runExclusive(this.#deps.clearEmptyFolders).catch((error: unknown) => {
      if (error instanceof DiskError) store.change({ diskTrouble: sentenceOf(error) });
    });
    if (isAutomatic) store.subscribe((state) => this.#auto.notice(state));
    relay.connect();
    keptFiles.refresh();
    await lan.start();
    await host.start();
    await inbox.start();
  }

  async pairingCode(): Promise<PairingCodeAnswer> {
    return this.#deps.relay.codes.create();
  }

  /** The codes of the panel's pairing step (rule P2). @throws {RelayUnreachableError} where no relay is set */
  get codes(): Pick<PairingCodes, "open" | "see" | "hide"> {
    return this.#deps.relay.codes;
  }

  pairingRequest(): Promise<PairingRequestAnswer> {
    return this.#deps.relay.pairingRequest.read();
  }

  answerPairing(reply: PairingReply): Promise<void> {
    return this.#deps.relay.pairingRequest.answer(reply);
  }

  apps(): Promise<AppsAnswer> {
    return this.#deps.relay.readApps();
  }

  unpair(pairingId: string): Promise<void> {
    return this.#deps.relay.unpair(pairingId);
  }

  /** Renames this computer; an unreachable relay gets the name at the next connect. */
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
   * Switches to another relay, once a compatible one has answered, and stores its address (rule N4).
   * @param address as a person types it
   * @throws {Error} with a sentence when it can't be used, or can't be changed now
   */
  setRelay(address: string): Promise<void> {
    return this.#deps.relay.switchTo(address);
  }

  /**
   * Answers whether the relay is the one that was at `state.connection.movedFrom` (rule P9). If not, this computer
   * gets a new identity there.
   * @throws {QuestionGoneError} with a sentence when that isn't asked
   * @throws {RelayUnreachableError} with a sentence when it doesn't answer, or another one does
   */
  answerMoved(answer: MovedAnswer): Promise<void> {
    return this.#deps.relay.answerMoved(answer);
  }

  /** Lists the ids of known packages that are new to the current own host, first committed first. */
  listNew(): Promise<readonly string[]> {
    return this.#packages.listNew();
  }

  packages(): Promise<PackagesToImport> {
    return this.#packages.read();
  }

  async import(source: string, options: ImportOptions = {}): Promise<ImportOutcome> {
    const { outcome } = await this.#deps.runs.ask(source, options);
    try {
      return await outcome;
    } finally {
      this.#refresh();
    }
  }

  /**
   * Starts an import in the background, which only `cancelRun` cancels. Resolves when the run is in the
   * state; `state.finished` gets its result.
   * @throws {Error} with a sentence when there is no such package or sound, or no such host, or it isn't ready
   */
  async beginRun(source: string, options: Omit<ImportOptions, "signal"> = {}): Promise<void> {
    const { outcome } = await this.#deps.runs.ask(source, options);
    outcome.then(this.#refresh, this.#refresh);
  }

  /** Cancels a package's queued and active runs at every host; false where there are none. */
  cancelRun(packageId: string): boolean {
    return this.#deps.runs.cancel(packageId);
  }

  importAll(options: ImportAllOptions = {}): Promise<ImportAllOutcome> {
    return this.#packages.importAll(options);
  }

  /** The panel's *Import all*, in the background (rules N11 and N23). */
  get all(): Pick<AllPackages, "begin" | "stop"> {
    return this.#packages;
  }

  dismiss(source: string): Promise<Dismissal> {
    return this.#deps.dismisser.dismiss(source).finally(this.#refresh);
  }

  undoDismiss(source: string): Promise<Dismissal> {
    return this.#deps.dismisser.undo(source).finally(this.#refresh);
  }

  /**
   * Shows a package's folder on this computer (rule N12).
   * @throws {Error} with a sentence when it has none, or it can't be shown
   */
  reveal(packageId: string): Promise<void> {
    return this.#deps.folders.reveal(packageId);
  }

  /**
   * Previews a package's import (rule N6); takes, writes and places nothing.
   * @throws {Error} with a sentence when there is no such package, or its sounds can't be reached
   */
  plan(packageId: string): Promise<PackagePlan> {
    return this.#deps.plans.plan(packageId);
  }

  /**
   * Opens a sound for playback (rule N6). Aborting the signal closes the body.
   * @throws {Error} with a sentence when there is no such sound, or it is unavailable
   */
  openSound(packageId: string, soundId: string, signal: AbortSignal): Promise<OpenedSound> {
    return this.#deps.plans.openSound(packageId, soundId, signal);
  }

  /** Reads which own host is current, and its session's tempo, into the state. */
  async lookAtHost(): Promise<void> {
    await this.#deps.host.look();
    await this.#deps.host.refreshTempo();
  }

  /** Reads the inbox and the sounds folder again in the background, if the importer was started. */
  readFoldersAgain(): void {
    if (this.#isStarted) this.#deps.inbox.refresh();
  }

  /** Live's control surface: keeps it in the state while it is watched, and installs its script. */
  get live(): Pick<LiveSync, "watch" | "install" | "check"> {
    return this.#deps.live;
  }

  /** Devices in the local network that may send to this program's relay (rule LAN1). */
  get lan(): Pick<LanSync, "choose"> {
    return this.#deps.lan;
  }

  /** Changes a setting of the current own host and stores it for the next start; false for an unknown id. */
  setHostSetting(id: string, value: boolean): boolean {
    return this.#deps.host.change(id, value);
  }

  /** The sounds folder: changes it, and shows it on this computer (rule F9). */
  get soundsFolder(): Pick<SoundsFolderSetting, "change" | "reveal"> {
    return this.#deps.soundsFolder;
  }

  /** Deletes the files in the sounds folder that no Set plays, after earlier runs (rule F6). */
  clearKeptFiles(): Promise<void> {
    return this.#deps.keptFiles.clear().finally(this.#refresh);
  }

  /** Cancels every run and closes every connection; resolves when all work has stopped. */
  async close(): Promise<void> {
    const { relay, inbox, keptFiles, lan, live, host, hosts, runs } = this.#deps;
    this.#auto.stop();
    lan.close();
    host.close();
    // Close these first, so that canceled runs trigger no more reads.
    const reads = Promise.all([inbox.close(), keptFiles.close(), live.close()]);
    await runs.close();
    await hosts.close();
    await Promise.all([reads, relay.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Refreshes the state of a started importer; others read what they need at each call. */
  readonly #refresh = (): void => {
    if (!this.#isStarted) return;
    const { relay, inbox, keptFiles, host } = this.#deps;
    inbox.refresh();
    keptFiles.refresh();
    relay.refresh();
    void host.refreshTempo();
  };
}
