import type { TrackPlan } from "../layout/layout.ts";
import type { SoundKind, SoundRole } from "../manifest/manifest.ts";
import type { PanelLan } from "./panel-lan.ts";
import type { PanelFinishedRun, PanelRun } from "./panel-runs.ts";
import type { PackageStatus, SoundResults } from "./package-status.ts";

// The protocol between panel and importer, in camelCase (rule N3). It never contains a relay token.
// Spans are whole seconds from the answer, since clocks differ; a page counts down from when it read them.

export type * from "./panel-lan.ts";
export type * from "./panel-runs.ts";

/** The panel's state: one line of `GET /control/state` per change. */
export interface PanelState {
  readonly version: string;
  readonly host: PanelHost;
  readonly connection: PanelConnection;
  /** The name of this computer, as apps see it. */
  readonly deviceName: string;
  readonly pairing: PanelPairing;
  readonly apps: readonly PanelApp[];
  /** Packages at the relay, newest first, then those in the inbox, and those that only the sounds folder has. */
  readonly packages: readonly PanelPackage[];
  /** True until the relay and the inbox have been read: `apps` and `packages` may be incomplete. */
  readonly isReading: boolean;
  /** Active runs, then queued ones. */
  readonly runs: readonly PanelRun[];
  /** Recent finished runs, newest first, including those before a restart. */
  readonly finished: readonly PanelFinishedRun[];
  readonly soundsFolder: PanelSoundsFolder;
  readonly keptFiles: PanelKeptFiles;
  /**
   * The program that shows a package's folder (`POST /control/packages/:package_id/reveal`); null if nobody would see
   * it.
   */
  readonly canReveal: Revealer | null;
  /** The outcome that `up --pretend` makes happen, such as `partial`; else null. */
  readonly pretends: string | null;
  /** Devices in the local network that may send (rule LAN1); null where the relay isn't this program's own. */
  readonly lan: PanelLan | null;
  /** The control surface in Live; null on a computer without Live, and until the importer has looked. */
  readonly live: PanelLive | null;
  /** A sentence about a problem with the inbox or the importer's files. */
  readonly diskTrouble: string | null;
}

/** The program that shows a folder: its name for people depends on it. */
export type Revealer = "finder" | "explorer" | "folder";

/** The importer's current own host (rule R9). */
export interface PanelHost {
  /** `live`, `folder` or `preview`. */
  readonly name: string;
  /** The name for people, such as `Live 12.1.5 Standard`. */
  readonly label: string;
  /** A sentence on what to do while it doesn't answer, else null. */
  readonly trouble: string | null;
  /** A sentence on why a preferred host, such as Live, isn't used; null while it is. */
  readonly instead: string | null;
  /** The tracks for which the session has room; null while no limit is known. */
  readonly room: { readonly tracks: number } | null;
  /** The session's tempo; null if unknown. */
  readonly tempoBpm: number | null;
  /** The host's settings, in its order. */
  readonly settings: readonly PanelHostSetting[];
  readonly can: PanelHostAbilities;
}

export interface PanelHostAbilities {
  /** True if it can import a package again on the tracks that it already has. */
  readonly reusesTracks: boolean;
}

/** A setting that the host declares (`PUT /control/host-settings/:setting_id` changes it). */
export interface PanelHostSetting {
  readonly id: string;
  /** A switch is on or off. */
  readonly kind: "switch";
  readonly label: string;
  readonly help: string;
  readonly value: boolean;
}

export interface PanelConnection {
  /** The relay's address; null on the first run, until one is set. */
  readonly relayUrl: string | null;
  /** Default of the address field; empty if the build has none. */
  readonly suggestedRelayUrl: string;
  /** A sentence if the address can't be changed here, else null. */
  readonly fixedBecause: string | null;
  readonly status: "unset" | "idle" | "connecting" | "connected" | "offline";
  /** A sentence about the current problem; also set when a call fails while connected. */
  readonly trouble: string | null;
  /** The reason why this computer is new to a relay at an address where it was known, until an app is paired. */
  readonly newBecause: "forgotten" | "other-relay" | "insecure" | null;
  /** The address at which this relay was known: `PUT /control/relay/moved` says whether it moved. */
  readonly movedFrom: string | null;
}

export interface PanelPairing {
  /** Six symbols without a space; null if no code is valid now. */
  readonly code: string | null;
  readonly expiresInSeconds: number | null;
  /** The app that used the last code, while it is paired; `apps` has the rest of it. */
  readonly usedBy: { readonly name: string; readonly pairingId: string } | null;
  /** The app that has claimed the code; `PUT /control/pairing-request` answers whether it may pair (rule P12). */
  readonly request?: PanelPairingRequest;
  /** The reason why the last code ended early: a second address claimed it, or somebody said no. */
  readonly ended?: "second-address" | "denied";
}

export interface PanelPairingRequest {
  readonly requestId: string;
  /** The app's name. */
  readonly name: string;
  /** The app's rough network, such as `203.0.113.0/24`; null on the relay's own computer. */
  readonly network: string | null;
}

export interface PanelApp {
  readonly pairingId: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly pairedAt: string;
  readonly lastSeenAt: string;
  /** Its packages that wait, which unpairing deletes. */
  readonly waitingPackages: number;
  /** True if paired since this importer started; highlighted, with a button to unpair. */
  readonly isNew: boolean;
}

export type PanelPackage = PanelUsablePackage | PanelUnusablePackage;

/** An inbox folder that isn't a valid package. */
export interface PanelUnusablePackage {
  /** Identifies it in the list. */
  readonly packageId: string;
  /** The folder's name. */
  readonly title: string;
  readonly error: string;
}

export interface PanelUsablePackage {
  readonly packageId: string;
  readonly title: string;
  readonly appName: string;
  /** `saved`: only in the sounds folder; its relay no longer has it, or doesn't answer. */
  readonly origin: "relay" | "inbox" | "saved";
  /** True if the sounds folder has a folder of this package, with its manifest and its files. */
  readonly isSaved: boolean;
  /**
   * An inbox package is `waiting` until imported, then `imported`, or `partial` while some of its sounds are not in the
   * host. A package that was only dismissed is `waiting`, also where its app reads `failed` (rule R12).
   */
  readonly status: PackageStatus;
  /** Seconds until its files are deleted; null in the inbox. */
  readonly expiresInSeconds: number | null;
  /** True if another run holds it at the relay. */
  readonly isTaken: boolean;
  readonly sounds: readonly PanelSound[];
  /** The last results, as the relay or an inbox package's runs have them; null without an import. */
  readonly results: SoundResults | null;
  /** True if a person hid it (`POST /control/packages/:package_id/dismissal`, rule R12). */
  readonly isDismissed: boolean;
  /** True if it is dismissed and its files still exist (`DELETE` of the same address). */
  readonly canUndoDismiss: boolean;
  /** `#RRGGBB` of the package's turn in the rotation, for its sounds without a color; null if none needs it. */
  readonly color: string | null;
}

export interface PanelSound {
  readonly id: string;
  readonly name: string;
  readonly kind: SoundKind;
  readonly role: SoundRole | null;
  /** null if unknown. */
  readonly bytes: number | null;
}

/** A package's planned scene (`GET /control/packages/:package_id/plan`). */
export interface PanelPlan {
  readonly sceneName: string;
  /** The tempo that all loops share; null if they differ or none is known. */
  readonly tempoBpm: number | null;
  /** Quarter notes in a bar of the package's time signature; 4 without one. */
  readonly beatsPerBar: number;
  readonly tracks: readonly PanelTrackPlan[];
}

export type PanelTrackPlan = PanelUsableTrack | PanelUnusableTrack;

/** A planned track; beats and tempo have at most 6 decimals. */
export interface PanelUsableTrack extends Pick<
  TrackPlan,
  "warpMode" | "looping" | "loopEndBeats" | "tempoBpm" | "gainDb" | "notes"
> {
  /** The sound's id. */
  readonly id: string;
  /** The host's color as `#RRGGBB`. */
  readonly color: string;
  readonly durationSeconds: number | null;
}

export interface PanelUnusableTrack {
  /** The sound's id. */
  readonly id: string;
  readonly color: null;
  /** A sentence that says why there is no track. */
  readonly error: string;
}

/** The sounds folder (rule F1). */
export interface PanelSoundsFolder {
  /** Its path, with `~` for the home folder: the only path that the page gets (rule N2). */
  readonly path: string;
  /** True if it is `Samples/Soundferry` in Live's User Library, where Live's browser shows it. */
  readonly isInLibrary: boolean;
  /** Why it isn't in Live's User Library, although there is one; null if it is, or if there is none. */
  readonly because: "cloud" | "not-writable" | null;
  /** A sentence if it can't be changed here, else null. */
  readonly fixedBecause: string | null;
}

/** The files in the sounds folder (rule F6). */
export interface PanelKeptFiles {
  readonly bytes: number;
  /** Bytes that no host plays and no run needs. */
  readonly clearableBytes: number;
}

/** The control surface that a person sets up once in Live (rule H20); without paths. */
export interface PanelLive {
  /**
   * The script in Live's User Library. `foreign`: another folder of that name; `no-library`: Live's User
   * Library wasn't found; `unknown`: this importer can't look there.
   */
  readonly script: "missing" | "old" | "changed" | "current" | "foreign" | "no-library" | "unknown";
  /** True if the script answers and has this version. */
  readonly answers: boolean;
  /** True if Live runs another version of the script, until it is restarted. */
  readonly mustRestart: boolean;
  /** Live's version, such as `12.1.5`, and its edition, while the script answers. */
  readonly live: string | null;
  readonly edition: string | null;
  /** The name of the library's folder. */
  readonly libraryName: string | null;
  /** True if `POST /control/live/script` can install the script. */
  readonly canInstall: boolean;
  /** A sentence about a problem with the script's folder. */
  readonly trouble: string | null;
}

/** Body of `POST /control/runs`, and the result of the page in Live's dialog. */
export interface ImportRequest {
  readonly packageId: string;
  readonly again?: boolean;
  readonly takeOver?: boolean;
  readonly sessionTempoBpm?: number;
  /** The sounds to import, at least one; absent for all that are not in the host yet (rule R10). */
  readonly soundIds?: readonly string[];
  /** Another host than the importer's own: `dawproject` writes one file with the audio inside. */
  readonly host?: "dawproject";
  /** True to place the sounds on the tracks of an earlier import, at a host with `can.reusesTracks`. */
  readonly reuseTracks?: boolean;
}

/** Body of `POST /control/import-all`. */
export interface ImportAllRequest {
  /** Set to get a 202 at once and import in the background (rule N11); else the answer streams the import. */
  readonly background: true;
}

/** Another result of the page in Live's dialog: open the dialog again with the importer's own address. */
export const LOAD_FROM_IMPORTER = "load from importer";

/** A page's start parameters: JSON in its `#start` element in Live's dialog, else in the address's fragment. */
export interface PanelStart {
  /** Base URL of calls, such as `http://127.0.0.1:4701`; empty for the page's own origin. */
  readonly address: string;
  readonly secret: string;
  /** True in Live's dialog: Import closes the page with an `ImportRequest`, and Live shows the progress. */
  readonly isDialog: boolean;
  /** Live's language, such as `de`; absent in a browser, which has its own. */
  readonly language?: string;
  /** A state to show until the importer answers or while it is unreachable. */
  readonly state?: PanelState;
  /** Id of the package whose last result to show. */
  readonly showResultOf?: string;
}
