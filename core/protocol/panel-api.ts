import type { TrackPlan } from "../layout/layout.ts";
import type { SoundKind, SoundRole } from "../manifest/manifest.ts";
import type { PackageStatus, SoundResults } from "./package-status.ts";
import type { ImportedTrack, ImportOutcome, ImportProgress } from "./import-outcome.ts";

// What the panel and the importer send each other, with names in camelCase (rule N3). It never
// contains a token of the relay. Spans are in whole seconds from the moment that the answer was written, because two
// clocks may differ; a page counts down from when it read them.

/** Everything that the panel shows (a line of `GET /control/state`, one after each change). */
export interface PanelState {
  readonly version: string;
  readonly host: PanelHost;
  readonly connection: PanelConnection;
  /** The name of this computer, as apps see it. */
  readonly deviceName: string;
  readonly pairing: PanelPairing;
  readonly apps: readonly PanelApp[];
  /** At the relay and in the inbox, newest first. */
  readonly packages: readonly PanelPackage[];
  /** Runs that work or wait for their turn, in that order. */
  readonly runs: readonly PanelRun[];
  /** The last runs that are over, newest first; also from before a restart. */
  readonly finished: readonly PanelFinishedRun[];
  readonly keptFiles: PanelKeptFiles;
  /** What is wrong with the inbox or with the importer's own files, in a sentence. */
  readonly diskTrouble: string | null;
}

export interface PanelHost {
  /** `live` or `preview`. */
  readonly name: string;
  /** The session's tempo; null where there is none or it can't be read. */
  readonly tempoBpm: number | null;
  /** What can be set there, in the host's order. */
  readonly settings: readonly PanelHostSetting[];
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
  /** null until one is set: first run. */
  readonly relayUrl: string | null;
  /** What the address field shows before one is typed; empty where the build has none. */
  readonly suggestedRelayUrl: string;
  /** Why the address can't be changed here, in a sentence; null where it can. */
  readonly fixedBecause: string | null;
  readonly status: "unset" | "idle" | "connecting" | "connected" | "offline";
  /** What is wrong, in a sentence; also while connected, when a call failed. */
  readonly trouble: string | null;
  /** The relay had forgotten this importer: every app must pair again. */
  readonly mustPairAgain: boolean;
}

export interface PanelPairing {
  /** Six symbols without a space; null where there is none that can be used now. */
  readonly code: string | null;
  readonly expiresInSeconds: number | null;
  /** The app that used the last code. */
  readonly usedBy: string | null;
}

export interface PanelApp {
  readonly pairingId: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly pairedAt: string;
  readonly lastSeenAt: string;
  /** Paired since this importer was started: it is pointed out, with one click to unpair. */
  readonly isNew: boolean;
}

export type PanelPackage = PanelUsablePackage | PanelUnusablePackage;

/** A folder of the inbox that is no package. */
export interface PanelUnusablePackage {
  /** Stands for it in the list. */
  readonly packageId: string;
  /** The folder's name. */
  readonly title: string;
  readonly error: string;
}

export interface PanelUsablePackage {
  readonly packageId: string;
  readonly title: string;
  readonly appName: string;
  readonly origin: "relay" | "inbox";
  /** `waiting` for an inbox package that was never imported, `imported` for another. */
  readonly status: PackageStatus;
  /** Until its files are deleted; null in the inbox. */
  readonly expiresInSeconds: number | null;
  /** Another run holds it at the relay. */
  readonly isTaken: boolean;
  readonly sounds: readonly PanelSound[];
  /** What the relay was told last. */
  readonly results: SoundResults | null;
}

export interface PanelSound {
  readonly id: string;
  readonly name: string;
  readonly kind: SoundKind;
  readonly role: SoundRole | null;
  /** null where the source does not say. */
  readonly bytes: number | null;
}

/** What a package will become (`GET /control/packages/:package_id/plan`). */
export interface PanelPlan {
  readonly sceneName: string;
  /** The one tempo of all its loops; null where they have several, or none is known. */
  readonly tempoBpm: number | null;
  readonly tracks: readonly PanelTrackPlan[];
}

export type PanelTrackPlan = PanelUsableTrack | PanelUnusableTrack;

/** Beats and tempo have at most 6 decimals. */
export interface PanelUsableTrack extends Pick<
  TrackPlan,
  "warpMode" | "looping" | "loopEndBeats" | "tempoBpm" | "gainDb" | "notes"
> {
  /** The sound's id. */
  readonly id: string;
  /** As the host will show it, `#RRGGBB`. */
  readonly color: string;
  readonly durationSeconds: number | null;
}

export interface PanelUnusableTrack {
  /** The sound's id. */
  readonly id: string;
  readonly color: null;
  /** A sentence that says why there will be no track. */
  readonly error: string;
}

export interface PanelRun {
  readonly packageId: string;
  /** Where it goes, such as `dawproject`; left out for the importer's own host. */
  readonly otherHost?: string;
  readonly title: string;
  /** null while it waits for its turn. */
  readonly progress: ImportProgress | null;
}

export interface PanelFinishedRun {
  readonly packageId: string;
  /** As in `PanelRun`. */
  readonly otherHost?: string;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly result:
    | { readonly outcome: PanelOutcome }
    | {
        readonly error: string;
        /**
         * What a click can do about it: `ALREADY_PLACED` (import `again`), `RUN_ELSEWHERE` (`takeOver`),
         * `CANCELLED`; null for anything else.
         */
        readonly code: string | null;
      };
}

/** What an import came to. */
export interface PanelOutcome extends Pick<ImportOutcome, "status"> {
  /** The name of the package's folder; null where nothing of it is left there. */
  readonly folder: string | null;
  readonly tracks: readonly Pick<
    ImportedTrack,
    "id" | "status" | "track" | "clip" | "notes" | "differences" | "error"
  >[];
}

/** The files in the sounds folder (rule F6). */
export interface PanelKeptFiles {
  readonly bytes: number;
  /** Of these, what no host plays and no run needs. */
  readonly clearableBytes: number;
}

/** Body of `POST /control/runs`, and what the page in Live's dialog answers with. */
export interface ImportRequest {
  readonly packageId: string;
  readonly again?: boolean;
  readonly takeOver?: boolean;
  readonly sessionTempoBpm?: number;
}

/** What a page is opened with: as JSON in its `#start` element in Live's dialog, else in the address's fragment. */
export interface PanelStart {
  /** Base of the calls, such as `http://127.0.0.1:4701`; empty for the page's own origin. */
  readonly address: string;
  readonly secret: string;
  /** In Live's dialog a click on Import closes it with an `ImportRequest`; Live shows the progress. */
  readonly isDialog: boolean;
  /** What to show until the importer answers, or where it can't be reached. */
  readonly state?: PanelState;
  /** The package whose last result is to be shown. */
  readonly showResultOf?: string;
}
