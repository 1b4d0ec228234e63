// `soundferry/addon`: the importer's runtime, and the port through which it drives a host.

export { buildImporter, type BuildImporterOptions } from "./build-importer.ts";
export type * from "./hosts/host.ts";
export type * from "./hosts/live-setup.ts";
export { HostGoneError, HostStepError, LeftBehindError } from "./hosts/host.ts";
export type { OtherHosts } from "./hosts/host-registry.ts";
export { dawprojectPath } from "./hosts/dawproject/dawproject-file.ts";
export { DawprojectHost } from "./hosts/dawproject/dawproject-host.ts";
export { FolderHost } from "./hosts/folder/folder-host.ts";
export { PreviewHost } from "./hosts/preview/preview-host.ts";
export { type PreviewState, readPreviewSession } from "./hosts/preview/preview-session.ts";
export { AlreadyPlacedError } from "./hosts/already-placed.ts";
export { HostNotReadyError } from "./hosts/host-registry.ts";
export { ImportCancelledError } from "./runs/import-errors.ts";
export type * from "../core/report/placed-sound.ts";
export type { ImportedTrack, ImportOutcome } from "../core/protocol/import-outcome.ts";
export { LocalPackageError } from "./packages/local-package-error.ts";
export { readLocalPackage } from "./packages/local-package.ts";
export type { PanelKeptFiles as KeptFiles } from "../core/protocol/panel-api.ts";
export type {
  ImportAllOptions,
  ImportAllOutcome,
  ImporterCalls,
  ImportOptions,
  PackageProgress,
  PackagesToImport,
} from "./runs/importer-calls.ts";
export type * from "./state/importer-state.ts";
export type { Importer } from "./importer.ts";
export { RelayError, RelayUnreachableError } from "./relay/relay-errors.ts";
export {
  ImporterRunsError,
  openImporter,
  type OpenedImporter,
  type RunningImporter,
  startImporter,
  type StartImporterOptions,
} from "./control/open-importer.ts";
export type { isPackageId } from "../core/protocol/package-id.ts";
export type { PackagePlan } from "../core/panel/panel-plan.ts";
export type { OpenedSound } from "./packages/package-plans.ts";
export { type ImporterSettings, readImporterSettings, type RelayDefault } from "./settings.ts";
