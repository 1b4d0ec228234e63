import type { Manifest } from "../../core/manifest/manifest.ts";
import type {
  ImportablePackage,
  PairedApp,
  PairingCodeAnswer,
} from "../../core/protocol/importer-api.ts";
import type { PanelHostSetting } from "../../core/protocol/panel-api.ts";
import type { ImportOutcome, ImportProgress } from "../../core/protocol/import-outcome.ts";
import type { KeptFiles } from "../disk/kept-files.ts";

/** What an importer knows at one moment; never changed, only replaced. */
export interface ImporterState {
  readonly connection: Connection;
  /** As apps see it. */
  readonly deviceName: string;
  readonly pairing: Pairing;
  readonly apps: readonly PairedApp[];
  /** Of the apps, those that paired since this importer first read their list. */
  readonly newPairingIds: ReadonlySet<string>;
  /** Committed packages at the relay, newest first. */
  readonly packages: readonly ImportablePackage[];
  /** When `packages` was read, in milliseconds since 1970: spans in it count from then. */
  readonly packagesReadAtMs: number;
  /** Packages in the inbox folder. */
  readonly local: readonly InboxPackage[];
  /** Runs that work or wait for their turn, in that order. */
  readonly runs: readonly Run[];
  /** The last runs that are over, newest first; also from before a restart. */
  readonly finished: readonly FinishedRun[];
  readonly host: HostState;
  /** The importer's own files in the sounds folder, when no run worked there last. */
  readonly keptFiles: KeptFiles;
  /** What is wrong with the inbox or with the importer's own files, in a sentence. */
  readonly diskTrouble: string | null;
}

export interface Connection {
  /** null until one is set: first run (rule N4). */
  readonly relayUrl: string | null;
  /** What an empty address field may be filled with; empty where there is nothing to suggest. */
  readonly suggestedRelayUrl: string;
  /** Why the address can't be changed while the importer runs, in a sentence; null where it can. */
  readonly fixedBecause: string | null;
  /** `unset` without a relay, `idle` until the importer is started. */
  readonly status: "unset" | "idle" | "connecting" | "connected" | "offline";
  /** What is wrong, in a sentence; also while connected, when a call failed. */
  readonly trouble: string | null;
  /** The relay had forgotten this importer: every app must pair again. */
  readonly mustPairAgain: boolean;
}

export interface Pairing {
  /** The code that can be used now. */
  readonly code: PairingCodeAnswer | null;
  /** When the code was read, in milliseconds since 1970: its `expires_in` counts from then. */
  readonly readAtMs: number;
  /** The app that used the last code. */
  readonly usedBy: string | null;
}

/** A folder of the inbox (rule R5). */
export type InboxPackage =
  | {
      readonly folder: string;
      readonly package_id: string;
      readonly manifest: Manifest;
      /** Whether some run brought at least one of its sounds into the importer's own host. */
      readonly imported: boolean;
    }
  | {
      readonly folder: string;
      /** Why it is no package. */
      readonly error: string;
    };

export interface Run {
  readonly packageId: string;
  /** The host's word for itself; left out for the importer's own (rule R7). */
  readonly otherHost?: string;
  readonly title: string;
  /** null while it waits for its turn. */
  readonly progress: ImportProgress | null;
}

export interface FinishedRun {
  readonly packageId: string;
  /** As in `Run`. */
  readonly otherHost?: string;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly result: RunResult;
}

/** What a run came to: an outcome, or a sentence where nothing of the package could be imported. */
export type RunResult =
  | { readonly outcome: ImportOutcome }
  | { readonly error: string; readonly code: RunErrorCode | null };

/** What can be done about a run that failed: import `again`, `takeOver`, or just retry. */
export type RunErrorCode = "ALREADY_PLACED" | "RUN_ELSEWHERE" | "CANCELLED";

export interface HostState {
  /** The host's word for itself, such as `preview`. */
  readonly name: string;
  /** The session's tempo when it was last looked at; null where it is not known. */
  readonly tempoBpm: number | null;
  /** What it declares, in that order. */
  readonly settings: readonly PanelHostSetting[];
  /** @deprecated The value of the setting `correct-tempo`; null where the host has none. */
  readonly correctsTempo: boolean | null;
}
