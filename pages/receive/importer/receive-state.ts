/** The state of the page at `/receive` beside the panel's: who receives, and where sounds are saved. */
export interface ReceiveState {
  /**
   * `looking`: until this browser's storage was read. `unable`: this browser, or this address, can't receive. `new`: nothing is
   * registered. `elsewhere`: another tab of this browser receives. `receiving`: the panel has a state.
   */
  readonly stage: "looking" | "unable" | "new" | "elsewhere" | "receiving";
  /** True once the relay asked for a registration key: `begin` needs one. */
  readonly needsKey: boolean;
  /** The name that `begin` takes by default: browser and system. */
  readonly suggestedName: string;
  /** The place of imports; null until a person has chosen. */
  readonly place: ReceivePlace | null;
  /** True if this browser can write into a folder that a person picks. */
  readonly canPickFolder: boolean;
  /** True if each package also gets a Live Set (experimental). */
  readonly writesLiveSet: boolean;
  /** The ZIPs of this visit that can be saved, newest first. */
  readonly zips: readonly ReceivedZip[];
}

/** The place where imports are saved. */
export type ReceivePlace =
  | { readonly kind: "zip" }
  | {
      readonly kind: "folder";
      readonly name: string;
      /** True if the browser asks the person again in the click that imports next. */
      readonly asksAgain: boolean;
    };

/** A ZIP with one package. Its bytes stay on this browser's disk. */
export interface ReceivedZip {
  readonly packageId: string;
  readonly fileName: string;
  /** A `blob:` address for a link with `download`; valid until the page closes, or an hour. */
  readonly url: string;
  readonly sizeBytes: number;
}
