import type { Manifest } from "../../core/manifest/manifest.ts";
import type {
  ImportablePackage,
  PairedApp,
  PairingCodeAnswer,
  PairingRequestView,
} from "../../core/protocol/importer-api.ts";
import type {
  PanelHostAbilities,
  PanelHostSetting,
  PanelLive,
  PanelRunSounds,
  Revealer,
} from "../../core/protocol/panel-api.ts";
import type { ImportOutcome, ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { TurnsByPackage } from "./color-turns.ts";
import type { NewIdentityReason } from "./identity-entries.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";
import type { KeptFiles } from "../disk/kept-files.ts";

/** An importer's state, an immutable snapshot. */
export interface ImporterState {
  readonly connection: Connection;
  readonly deviceName: string;
  readonly pairing: Pairing;
  readonly apps: readonly PairedApp[];
  /** Apps that paired after this importer first read the list. */
  readonly newPairingIds: ReadonlySet<string>;
  /** Committed packages at the relay, newest first. */
  readonly packages: readonly ImportablePackage[];
  /** Time at which `packages` was read, in milliseconds since 1970: its `expires_in` values count from then. */
  readonly packagesReadAtMs: number;
  /** The color turns of the packages in `packages` and `local`, and of earlier ones (rule T4). */
  readonly colorTurns: TurnsByPackage;
  /** Packages in the inbox folder. */
  readonly local: readonly InboxPackage[];
  /** The lists that haven't been read since the start or the last change of relay, so they may lack something. */
  readonly unread: ReadonlySet<ReadList>;
  /** The active run, then the queued ones. */
  readonly runs: readonly Run[];
  /** The last finished runs, newest first; also from before a restart. */
  readonly finished: readonly FinishedRun[];
  readonly host: HostState;
  /** The importer's files in the sounds folder, measured between runs. */
  readonly keptFiles: KeptFiles;
  /** Ids of the packages that a person dismissed (rule R12). */
  readonly dismissed: ReadonlySet<string>;
  /** Program that shows a package's folder (rule N12); null where nobody would see it. */
  readonly canReveal: Revealer | null;
  /** The outcome of `up --pretend` (rule K16), else null. */
  readonly pretends: string | null;
  /** The control surface in Live when it was last looked at; null on a computer without Live. */
  readonly live: PanelLive | null;
  /** A problem with the inbox or the importer's own files, in a sentence. */
  readonly diskTrouble: string | null;
}

/** A list of the state that is read from the relay or the inbox. */
export type ReadList = "apps" | "packages" | "local";

export interface Connection {
  /** The relay's address; null until one is set at first run (rule N4). */
  readonly relayUrl: string | null;
  /** Prefills the address field; may be empty. */
  readonly suggestedRelayUrl: string;
  /** Sentence on why the address can't be changed; null where it can. */
  readonly fixedBecause: string | null;
  /** State of the connection: `unset` without a relay, `idle` until the importer is started. */
  readonly status: "unset" | "idle" | "connecting" | "connected" | "offline";
  /** The current problem in a sentence; also while connected, after a failed call. */
  readonly trouble: string | null;
  /** True if the relay no longer knew this importer, so that every app must pair again. */
  readonly mustPairAgain: boolean;
  /** Reason why this importer is new to the relay although it was known at this address; null once an app is paired. */
  readonly newBecause: NewIdentityReason | null;
  /** The address at which this relay was known: a person has to say whether it moved (rule P9). */
  readonly movedFrom: string | null;
}

export interface Pairing {
  /** The current code. */
  readonly code: PairingCodeAnswer | null;
  /** Time at which the code was created, in milliseconds since 1970: its `expires_in` counts from then. */
  readonly readAtMs: number;
  /** The app that used the last code, while it is paired. */
  readonly usedBy: { readonly name: string; readonly pairingId: string } | null;
  /** The app that has claimed the code and waits for approval (rule P12). */
  readonly request?: PairingRequestView | null;
  /** Reason why the last code ended early: a second address claimed it, or somebody denied the request. */
  readonly ended?: "second-address" | "denied" | null;
}

/** A folder of the inbox (rule R5). */
export type InboxPackage =
  | UsableInboxPackage
  | {
      readonly folder: string;
      /** Sentence on why it isn't a valid package. */
      readonly error: string;
    };

export interface UsableInboxPackage {
  readonly folder: string;
  readonly package_id: string;
  readonly manifest: Manifest;
  /** True if a run placed at least one of its sounds in the importer's own host. */
  readonly imported: boolean;
  /** The newest result of each sound that a run into that host was about; absent before the first one. */
  readonly results?: SoundResults;
}

export interface Run {
  readonly packageId: string;
  /** The host's name; absent for the importer's own hosts (rules R7, R9). */
  readonly otherHost?: string;
  readonly title: string;
  /** The chosen sounds, in the package's order; absent where nobody chose. */
  readonly soundIds?: readonly string[];
  /** Progress of the run; null while queued. */
  readonly progress: ImportProgress | null;
  /** Progress of each sound that the run is about, by id; empty while queued. */
  readonly sounds: PanelRunSounds;
}

export interface FinishedRun {
  readonly packageId: string;
  /** Like `Run.otherHost`. */
  readonly otherHost?: string;
  readonly title: string;
  /** Like `Run.soundIds`. */
  readonly soundIds?: readonly string[];
  /** Time of the end, in ISO 8601, UTC. */
  readonly at: string;
  readonly result: RunResult;
}

/** A run's outcome, or a sentence when the run failed. */
export type RunResult =
  | { readonly outcome: ImportOutcome }
  | { readonly error: string; readonly code: RunErrorCode | null };

/** Errors that a person can resolve: import `again`, `takeOver`, or retry. */
export type RunErrorCode = "ALREADY_PLACED" | "RUN_ELSEWHERE" | "CANCELLED" | "CONNECTION_LOST";

export interface HostState {
  /** Name of the current one of the importer's own hosts (rule R9), such as `preview`. */
  readonly name: string;
  /** The host's name for people, such as `Live 12.1.5 Standard`. */
  readonly label: string;
  /** Sentence on what to do while the host isn't ready; null while it is. */
  readonly trouble: string | null;
  /** The session's tempo when it was last read; null where it is unknown. */
  readonly tempoBpm: number | null;
  /** Settings in the order in which the host declares them. */
  readonly settings: readonly PanelHostSetting[];
  readonly can: PanelHostAbilities;
}
