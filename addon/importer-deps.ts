import type { HostRegistry } from "./hosts/host-registry.ts";
import type { InboxSync } from "./packages/inbox.ts";
import type { PackageFolders } from "./packages/package-folders.ts";
import type { PackagePlans } from "./packages/package-plans.ts";
import type { LanSync } from "./relay/lan-switch.ts";
import type { RelayConnection } from "./relay/relay-connection.ts";
import type { AllPackagesDeps } from "./runs/all-packages.ts";
import type { Dismisser } from "./runs/dismisser.ts";
import type { ImportRuns } from "./runs/import-runs.ts";
import type { KeptFilesSync } from "./runs/kept-files-sync.ts";
import type { LiveSync } from "./runs/live-sync.ts";
import type { OwnHost } from "./runs/own-host.ts";
import type { SoundsFolderSetting } from "./runs/sounds-folder-setting.ts";
import type { Timers } from "./timers.ts";

/** Everything that an `Importer` is made of. */
export interface ImporterDeps extends AllPackagesDeps {
  readonly relay: RelayConnection;
  readonly inbox: InboxSync;
  readonly host: OwnHost;
  readonly hosts: HostRegistry;
  readonly runs: ImportRuns;
  readonly keptFiles: KeptFilesSync;
  readonly lan: LanSync;
  readonly live: LiveSync;
  readonly dismisser: Dismisser;
  readonly folders: PackageFolders;
  readonly soundsFolder: SoundsFolderSetting;
  readonly plans: PackagePlans;
  readonly pruneJournals: () => Promise<void>;
  /** Removes folders that an earlier importer left without a sound. */
  readonly clearEmptyFolders: () => Promise<void>;
  /** Stores a setting's text for the next start, by variable name. */
  readonly keepSetting: (variable: string, text: string) => void;
  readonly isAutomatic: boolean;
  readonly timers: Timers;
}
