import type { ImportOutcome } from "../../core/protocol/import-outcome.ts";
import { inWords } from "../disk/disk-error.ts";
import { LeftBehindError } from "../hosts/host.ts";
import type { PackageSource } from "../packages/package-source.ts";
import { ImportCancelledError } from "./import-errors.ts";
import { type ImportDeps, ImportRun, type RunOptions } from "./import-run.ts";

export type { ImportDeps, RunOptions };

/**
 * Imports one package: takes the lease, downloads the sounds, plans the layout, has the host place it
 * and reports each sound's result. Resumes an interrupted run (rule R4). Calls must not overlap.
 * @throws {AlreadyPlacedError} when an interrupted run left a part at a host that can't resume, or the
 *   host says so
 * @throws {ImportCancelledError} when the signal aborted
 * @throws {LeftBehindError} when placing failed and the host couldn't undo all of it
 * @throws {Error} with a sentence, when the package is unavailable or the disk fails; nothing is placed
 */
export async function importPackage(
  source: PackageSource,
  deps: ImportDeps,
  options: RunOptions,
): Promise<ImportOutcome> {
  try {
    options.signal.throwIfAborted();
    const { outcome, later } = await new ImportRun(source, deps, options).run();
    if (later.length === 0) return outcome;
    // The first run completed an interrupted one; this one is what the person asked for.
    return (await new ImportRun(source, deps, { ...options, soundIds: later }).run()).outcome;
  } catch (error) {
    if (options.signal.aborted && !(error instanceof LeftBehindError)) {
      throw new ImportCancelledError({ cause: error });
    }
    throw inWords(error);
  }
}
