import type { ViewStore } from "../../core/view-store.ts";
import type { PanelCalls } from "../panel/panel-calls.ts";
import type { ReceiveState } from "./importer/receive-state.ts";

/** The importer in this browser, as the page uses it. Each call rejects with a sentence to show. */
export interface ReceiveImporter
  extends PanelCalls, Pick<ViewStore<ReceiveState>, "view" | "subscribe"> {
  /** Registers this browser as a computer and begins to receive. */
  begin(name: string, registrationKey?: string): Promise<void>;
  /** Receives in this tab; the tab that did it stops. */
  takeOver(): Promise<void>;
  useFolder(folder: FileSystemDirectoryHandle): Promise<void>;
  useZip(): Promise<void>;
  writeLiveSets(isOn: boolean): Promise<void>;
  /**
   * Deletes the device at the relay, with its packages and apps, and every trace in this browser.
   * @param options `onlyHere` leaves the relay out, for when it can't be reached
   */
  forget(options: { readonly onlyHere: boolean }): Promise<void>;
}
