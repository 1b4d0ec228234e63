import type { Warning } from "../../core/manifest/manifest.ts";
import type { Translate } from "../../core/messages/translate.ts";
import type { ViewStore } from "../../core/view-store.ts";
import type { StatusAnswer } from "../../core/protocol/public-api.ts";
import type { Pairing, Pairings } from "../pairing/pairings.ts";
import type { SendProgress, Unfinished } from "../send/send-options.ts";
import type { PackageNews } from "../send/words/format-status.ts";
import type { ListedSound } from "./listed-sound.ts";

/** A package that the element has sent. */
export interface SentNews extends PackageNews {
  readonly packageId: string;
  readonly title: string;
  readonly sounds: readonly { readonly id: string; readonly name: string }[];
}

/** Everything that the element shows. */
export interface ElementView {
  /** The paired computers, the target first; null until they are read. */
  readonly computers: readonly Pairing[] | null;
  readonly isPairing: boolean;
  /** Text in the code's field. */
  readonly code: string;
  readonly sounds: readonly ListedSound[];
  /** Typed title; null until something is typed. */
  readonly title: string | null;
  /** Title suggested by the sounds' names; empty without sounds. */
  readonly suggestion: string;
  /** Number of files that are still being read. */
  readonly reading: number;
  /** The running recording; null if there is none. */
  readonly recording: { readonly seconds: number; readonly level: number } | null;
  readonly sending: { readonly progress: SendProgress | null; readonly trouble: string } | null;
  readonly sent: SentNews | null;
  /** Packages that an earlier visit could not finish. */
  readonly unfinished: readonly Unfinished[];
  /** Error sentences to show. */
  readonly errors: readonly string[];
  /** Last event, for screen readers. */
  readonly announcement: string;
}

export const FIRST_VIEW: ElementView = {
  computers: null,
  isPairing: false,
  code: "",
  sounds: [],
  title: null,
  suggestion: "",
  reading: 0,
  recording: null,
  sending: null,
  sent: null,
  unfinished: [],
  errors: [],
  announcement: "",
};

/** The element's events, by name, with their `detail`. None bubbles. */
export interface ElementEvents {
  /** Paired with a computer. */
  readonly paired: { readonly deviceName: string };
  /** A package is ready to import. */
  readonly sent: { readonly packageId: string; readonly warnings: readonly Warning[] };
  /** A sent package is imported, partly imported, failed or expired. */
  readonly result: StatusAnswer;
  /** Something failed; the element shows it too. As a rule a `ClientError`. */
  readonly error: { readonly error: unknown };
}

/** Settings that an app makes with attributes. */
export interface ElementSettings {
  readonly relayUrl: string;
  readonly appName: string;
  readonly appId: string | undefined;
  readonly sceneTitle: string | undefined;
  readonly bpm: number | undefined;
}

/** Dependencies of the element's actions. */
export interface ElementDeps {
  readonly store: ViewStore<ElementView>;
  readonly settings: () => ElementSettings;
  /** Returns the pairings of this app. */
  readonly pairings: () => Pairings;
  readonly t: Translate;
  readonly emit: <Name extends keyof ElementEvents>(
    name: Name,
    detail: ElementEvents[Name],
  ) => void;
}
