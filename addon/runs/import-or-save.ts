import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { SAVING_HOST } from "../../core/protocol/package-status.ts";
import { type Host, HostGoneError } from "../hosts/host.ts";
import type { PackageSource } from "../packages/package-source.ts";
import { type ImportDeps, ImportRun, type RunOptions } from "./import-run.ts";
import type { ImportOptions } from "./importer-calls.ts";

export interface ImportOrSaveDeps extends ImportDeps {
  /** The importer's own hosts, in order of preference. */
  readonly own: readonly Host[];
}

/**
 * Imports a package into a host. Saves it instead if the host no longer answers, nothing was placed, and the person
 * named neither a host nor tracks in it (rule R16).
 * @throws {Error} as `ImportRun.import`
 */
export async function importOrSave(
  source: PackageSource,
  { own, ...deps }: ImportOrSaveDeps,
  options: RunOptions & Pick<ImportOptions, "host">,
): Promise<ImportOutcome> {
  try {
    return await new ImportRun(source, deps, options).import();
  } catch (error) {
    const last = own.at(-1);
    const isFree = options.host === undefined && options.reuseTracks !== true;
    const canSave = isFree && last?.name === SAVING_HOST && last !== deps.host;
    if (!(error instanceof HostGoneError) || !canSave) throw error;
    return await new ImportRun(source, { ...deps, host: last }, options).import();
  }
}
