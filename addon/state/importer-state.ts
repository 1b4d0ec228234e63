import type { TurnsByPackage } from "../../core/layout/color-turns.ts";
import type { Manifest } from "../../core/manifest/manifest.ts";
import type { Pairing } from "../../core/panel/panel-pairing.ts";
import type { ImportablePackage, PairedApp } from "../../core/protocol/importer-api.ts";
import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import type { PanelFinishedRun, PanelRunError, PanelState } from "../../core/protocol/panel-api.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";

/** Members that the panel shows as they are, but for paths in sentences. */
type ShownAsItIs =
  | "connection"
  | "deviceName"
  | "runs"
  | "host"
  | "soundsFolder"
  | "keptFiles"
  | "canReveal"
  | "pretends"
  | "lan"
  | "live"
  | "diskTrouble";

/** An importer's state, an immutable snapshot. The panel's state is made of it (rule N2). */
export interface ImporterState extends Pick<PanelState, ShownAsItIs> {
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
  /** Packages in the inbox folder, and those in the sounds folder that no importer made. */
  readonly local: readonly InboxPackage[];
  /** Packages that the sounds folder has with their files, also those that relay or inbox list. */
  readonly saved: readonly UsableInboxPackage[];
  /** The lists that haven't been read since the start or the last change of relay, so they may lack something. */
  readonly unread: ReadonlySet<ReadList>;
  /** The last finished runs, newest first; also from before a restart. */
  readonly finished: readonly FinishedRun[];
  /** Ids of the packages that a person dismissed (rule R12). */
  readonly dismissed: ReadonlySet<string>;
}

/** A list of the state that is read from the relay or the inbox. */
export type ReadList = "apps" | "packages" | "local";

/** The packages on this computer's disk. */
export type FolderPackages = Pick<ImporterState, "local" | "saved">;

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
  /** True if it isn't new to the importer's own host: that has at least one of its sounds, or it was saved. */
  readonly imported: boolean;
  /** The newest result of each sound that a run was about, there or into the sounds folder; absent before the first. */
  readonly results?: SoundResults;
}

export interface FinishedRun extends Omit<PanelFinishedRun, "result"> {
  readonly result: RunResult;
}

/** A run's outcome, or a sentence when the run failed. */
export type RunResult = { readonly outcome: ImportOutcome } | PanelRunError;
