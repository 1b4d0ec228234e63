import { isOwnRefusal } from "../../../core/importer/relay-errors.ts";
import type { PanelPlan, PanelState } from "../../../core/protocol/panel-api.ts";
import type { PanelCall, PanelParams } from "../../../core/protocol/panel-calls.ts";
import { receiveSentence } from "../../../core/protocol/receive-sentences.ts";
import { sentenceOf } from "../../../core/text/sentence-of.ts";
import { ViewStore } from "../../../core/view-store.ts";
import { describeBrowser } from "../../kit/describe-browser.ts";
import type { LinesListener } from "../../kit/follow-lines.ts";
import { ownWords } from "../../panel/text/own-words.ts";
import type { ReceiveImporter } from "../receive-importer.ts";
import { removeEveryPart } from "./download/private-files.ts";
import { panelStateOf } from "./panel-state.ts";
import {
  NO_SETTINGS,
  ReceiveDatabase,
  type StoredIdentity,
  type StoredSettings,
} from "./receive-database.ts";
import type { ReceivePlace, ReceiveState } from "./receive-state.ts";
import { Receiver } from "./receiver.ts";
import { isUnknownHere, RelayCalls } from "./relay/relay-calls.ts";
import { asksAgain } from "./save/picked-folder.ts";
import { StateFollowers } from "./state-followers.ts";
import { TabLock } from "./tab-lock.ts";

const CANT_STORE = { stage: "unable" } as const;

/** A call's handler, with the members of its parameters. */
type Handlers = { readonly [Call in PanelCall]?: (params: PanelParams<Call>) => unknown };

/** An importer in this browser, behind the panel's screens (rule RC1). Nothing is registered before `begin` (rule RC2). */
export class BrowserImporter extends ViewStore<ReceiveState> implements ReceiveImporter {
  readonly offersDrags = false;
  readonly #database = new ReceiveDatabase();
  readonly #calls = new RelayCalls(() => this.#identity?.token);
  readonly #lock = new TabLock({
    onHeld: () => void this.#receive(),
    onElsewhere: () => void this.#stop("elsewhere"),
  });
  readonly #followers = new StateFollowers(() => this.#panelState());
  #identity: StoredIdentity | undefined;
  #settings: StoredSettings = NO_SETTINGS;
  #receiver: Receiver | undefined;

  constructor() {
    super({
      stage: "looking",
      needsKey: false,
      suggestedName: describeBrowser(navigator) ?? "Browser",
      place: null,
      canPickFolder: "showDirectoryPicker" in globalThis,
      writesLiveSet: false,
      zips: [],
    });
  }

  /** Reads what this browser knows, and receives if it was registered before. Calls nothing. */
  async open(): Promise<void> {
    if (!isSecureContext || !("locks" in navigator) || !("storage" in navigator)) {
      return this.change(CANT_STORE);
    }
    try {
      await navigator.storage.getDirectory();
      const isKnown = (await this.#database.exists()) && (await this.#load());
      if (isKnown) this.#lock.ask();
      else this.change({ stage: "new" });
    } catch {
      this.change(CANT_STORE);
    }
  }

  async begin(name: string, registrationKey?: string): Promise<void> {
    try {
      // Two tabs that begin at once become one computer.
      await navigator.locks.request("soundferry-receive-begin", async () => {
        if (!(await this.#load())) await this.#register(name, registrationKey);
      });
    } catch (error) {
      throw inOwnWords(error);
    }
    this.#lock.ask();
  }

  async takeOver(): Promise<void> {
    await this.#load();
    this.#lock.takeOver();
  }

  async useFolder(folder: FileSystemDirectoryHandle): Promise<void> {
    await this.#usePlace({ place: "folder", folder });
  }

  async useZip(): Promise<void> {
    await this.#usePlace({ place: "zip" });
  }

  async writeLiveSets(isOn: boolean): Promise<void> {
    await this.#changeSettings({ writesLiveSet: isOn });
  }

  async forget({ onlyHere }: { readonly onlyHere: boolean }): Promise<void> {
    if (!onlyHere) await this.#removeAtRelay();
    await this.#stop("new");
    this.#lock.release();
    this.#identity = undefined;
    this.#settings = NO_SETTINGS;
    await removeEveryPart();
    await this.#database.delete();
    for (const { url } of this.view.zips) URL.revokeObjectURL(url);
    this.change({ stage: "new", needsKey: false, place: null, writesLiveSet: false, zips: [] });
  }

  async send<Call extends PanelCall>(
    call: Call,
    ...[params]: object extends PanelParams<Call> ? [] : [params: PanelParams<Call>]
  ): Promise<void> {
    const receiver = this.#receiver;
    if (receiver === undefined) throw inOwnWords(receiveSentence("RECEIVE_ELSEWHERE"));
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handler of this very call
    const handle = this.#handlers(receiver)[call] as ((params: unknown) => unknown) | undefined;
    if (handle === undefined) throw inOwnWords(receiveSentence("RECEIVE_NOT_HERE"));
    try {
      await handle(params);
    } catch (error) {
      throw inOwnWords(error);
    }
  }

  follow(listener: LinesListener<PanelState>, signal: AbortSignal): Promise<void> {
    return this.#followers.follow(listener, signal);
  }

  /** A browser has no Live. */
  async followLiveCheck(): Promise<void> {}

  async plan(packageId: string): Promise<PanelPlan> {
    try {
      return await this.#here().plan(packageId);
    } catch (error) {
      throw inOwnWords(error);
    }
  }

  async sound(packageId: string, soundId: string, signal: AbortSignal): Promise<Blob> {
    try {
      return await this.#here().sound(packageId, soundId, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw inOwnWords(error);
    }
  }

  #here(): Receiver {
    if (this.#receiver === undefined) throw new Error(receiveSentence("RECEIVE_ELSEWHERE"));
    return this.#receiver;
  }

  #handlers(receiver: Receiver): Handlers {
    const { watch, runs } = receiver;
    return {
      beginRun: (request) => receiver.begin(request),
      cancelRun: ({ package_id }) => runs.cancel(package_id),
      importAll: () => receiver.importAll(),
      stopAll: () => runs.stopAll(),
      dismiss: ({ package_id }) => receiver.dismiss(package_id),
      undoDismiss: ({ package_id }) => receiver.undoDismiss(package_id),
      openCode: ({ fresh }) => watch.codes.open({ isFresh: fresh }),
      keepCode: ({ visible }) => watch.codes.see(visible),
      closeCode: () => watch.codes.hide(),
      answerPairing: (reply) => watch.answerPairing(reply),
      unpair: ({ pairing_id }) => watch.unpair(pairing_id),
      rename: ({ device_name }) => this.#rename(device_name),
    };
  }

  async #register(name: string, registrationKey: string | undefined): Promise<void> {
    try {
      const { instance } = await this.#calls.hello();
      const { device_id, importer_token } = await this.#calls.register(name, registrationKey);
      const registered = { token: importer_token, deviceId: device_id, instance };
      const identity = { ...registered, deviceName: name.trim() };
      await this.#database.putIdentity(identity);
      this.#identity = identity;
      this.change({ needsKey: false });
      void navigator.storage.persist();
    } catch (error) {
      const asksForKey = isOwnRefusal(error) && error.code?.startsWith("REGISTRATION_KEY") === true;
      if (asksForKey) this.change({ needsKey: true });
      throw error;
    }
    // The relay cleans the name.
    await this.#rename(name);
  }

  async #rename(name: string): Promise<void> {
    const deviceName = await this.#calls.rename(name);
    if (this.#identity === undefined) return;
    this.#identity = { ...this.#identity, deviceName };
    await this.#database.putIdentity(this.#identity);
    this.#followers.show();
  }

  /** Reads what is stored; returns whether this browser is registered. */
  async #load(): Promise<boolean> {
    this.#identity = await this.#database.identity();
    this.#settings = await this.#database.settings();
    await this.#showPlace();
    return this.#identity !== undefined;
  }

  /** Receives in this tab, which has the lock. */
  async #receive(): Promise<void> {
    // The tab that had the lock may have changed everything.
    if (!(await this.#load()) || this.#identity === undefined) return this.#stop("new");
    this.#receiver ??= new Receiver({
      database: this.#database,
      calls: this.#calls,
      identity: this.#identity,
      settings: () => this.#settings,
      changeSettings: (change) => this.#changeSettings(change),
      onZip: (zip) => this.change({ zips: [zip, ...this.#zipsBut(zip.packageId)] }),
      onZipGone: (packageId) => this.change({ zips: this.#zipsBut(packageId) }),
      onChange: () => this.#followers.show(),
    });
    this.change({ stage: "receiving" });
    this.#followers.show();
  }

  #zipsBut(packageId: string): ReceiveState["zips"] {
    for (const { packageId: id, url } of this.view.zips) {
      if (id === packageId) URL.revokeObjectURL(url);
    }
    return this.view.zips.filter((zip) => zip.packageId !== packageId);
  }

  async #stop(stage: "elsewhere" | "new"): Promise<void> {
    const receiver = this.#receiver;
    this.#receiver = undefined;
    this.change({ stage });
    await receiver?.close();
  }

  async #removeAtRelay(): Promise<void> {
    try {
      await this.#calls.remove();
    } catch (error) {
      if (isUnknownHere(error)) return;
      const problem = sentenceOf(error);
      throw inOwnWords(receiveSentence("RECEIVE_NOT_FORGOTTEN", { problem }));
    }
  }

  async #usePlace(change: Pick<StoredSettings, "place" | "folder">): Promise<void> {
    if ((this.#receiver?.runs.view.runs.length ?? 0) > 0) {
      throw inOwnWords(receiveSentence("RECEIVE_PLACE_WAITS"));
    }
    await this.#changeSettings(change);
    this.#followers.show();
  }

  async #changeSettings(change: Partial<StoredSettings>): Promise<void> {
    this.#settings = { ...this.#settings, ...change };
    await this.#database.putSettings(this.#settings);
    await this.#showPlace();
  }

  async #showPlace(): Promise<void> {
    const { place, folder, writesLiveSet } = this.#settings;
    const shown: ReceivePlace | null =
      place === "folder" && folder !== undefined
        ? { kind: "folder", name: folder.name, asksAgain: await asksAgain(folder) }
        : place === "zip"
          ? { kind: "zip" }
          : null;
    this.change({ place: shown, writesLiveSet });
  }

  #panelState(): PanelState | undefined {
    if (this.#receiver === undefined || this.#identity === undefined) return undefined;
    const { watch, runs } = this.#receiver;
    const known = {
      relay: watch.view,
      deviceName: this.#identity.deviceName,
      place: this.view.place,
      settings: this.#settings,
      ...runs.view,
    };
    return panelStateOf(known, Date.now());
  }
}

/** Returns an error whose sentence is in the page's language. */
function inOwnWords(error: unknown): Error {
  return new Error(ownWords(sentenceOf(error)), { cause: error });
}
