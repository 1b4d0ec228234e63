// `soundferry/addon`: the importer's runtime, and the port through which it drives a host.

export { buildImporter, type BuildImporterOptions } from "./build-importer.ts";
export type * from "./host/host.ts";
export { HostStepError, LeftBehindError } from "./host/host.ts";
export type { OtherHosts } from "./hosts.ts";
export { DawprojectHost, dawprojectPath } from "./host/dawproject-host.ts";
export { PreviewHost } from "./host/preview-host.ts";
export { type PreviewState, readPreviewSession } from "./host/preview-session.ts";
export { AlreadyPlacedError, ImportCancelledError } from "./import/import-errors.ts";
export type { ImportedTrack, ImportOutcome } from "../core/protocol/import-outcome.ts";
export { LocalPackageError } from "./import/local-package-error.ts";
export { readLocalPackage } from "./import/local-package.ts";
export type { KeptFiles } from "./import/kept-files.ts";
export type * from "./importer-calls.ts";
export type * from "./importer-state.ts";
export type { Importer } from "./importer.ts";
export { RelayError, RelayUnreachableError } from "./link/relay-errors.ts";
export {
  ImporterRunsError,
  openImporter,
  type OpenedImporter,
  type RunningImporter,
  startImporter,
  type StartImporterOptions,
} from "./open-importer.ts";
export type { OpenedSound, PackagePlan } from "./package-plans.ts";
export { type ImporterSettings, readImporterSettings, type RelayDefault } from "./settings.ts";
