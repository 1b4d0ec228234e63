import type { ViewStore } from "../../core/view-store.ts";
import type { PanelCalls } from "../panel/panel-calls.ts";

/** An importer in this browser, as the page at `/receive` uses it. `store` says which screen to show. */
export interface ReceiveImporter extends PanelCalls {
  readonly store: ViewStore<ReceiveView>;
  /** Reads what this browser has stored, and receives if it is registered. Without a registration it calls no server. */
  open(signal: AbortSignal): Promise<void>;
  /**
   * Registers this browser as a computer and begins to receive.
   * @throws {Error} with a sentence to show; `registrationNeedsKey` is set first if the relay asks for a key
   */
  register(as: { readonly name: string; readonly registrationKey?: string }): Promise<void>;
  /** Receives in this tab; the tab that did it stops. */
  takeOver(): Promise<void>;
  /** Stores where imports go. */
  setDestination(destination: Destination): Promise<void>;
  /** Asks the browser for the chosen folder again, as it must be within a click. Returns false if the person refused. */
  askForFolder(): Promise<boolean>;
  setWritesLiveSet(isOn: boolean): Promise<void>;
  /** Returns a ZIP that `store` lists. */
  zip(runId: string): Promise<Blob>;
  /**
   * Deletes the device at the relay, with its packages and apps, and every trace in this browser.
   * @param onlyHere true to leave the relay out, which can't be reached
   * @throws {Error} with a sentence to show if the relay can't be reached
   */
  forget(onlyHere: boolean): Promise<void>;
}

export interface ReceiveView {
  /**
   * `looking` until the storage was read; `new` without a registration; `elsewhere` while another tab receives;
   * `receiving` otherwise.
   */
  readonly stage: "looking" | "new" | "elsewhere" | "receiving";
  /** True once the relay has refused a registration for lack of a valid key. */
  readonly registrationNeedsKey: boolean;
  /** null until the person has chosen. */
  readonly destination: KnownDestination | null;
  /** True if imports have an experimental Live Set too. */
  readonly writesLiveSet: boolean;
  /** ZIPs that can be saved again while they are here, newest first. A new one is saved once it appears. */
  readonly zips: readonly ReadyZip[];
}

/** Where imports go: one ZIP each, or a folder of this computer. */
export type Destination =
  | { readonly kind: "zip" }
  | { readonly kind: "folder"; readonly folder: FileSystemDirectoryHandle };

export type KnownDestination =
  | { readonly kind: "zip" }
  | {
      readonly kind: "folder";
      readonly name: string;
      /** True if the browser must be asked for the folder again, such as after a reload. */
      readonly mustAsk: boolean;
    };

export interface ReadyZip {
  readonly runId: string;
  readonly packageId: string;
  /** The file's name, with `.zip`. */
  readonly name: string;
  readonly bytes: number;
}
