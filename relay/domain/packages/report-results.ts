import {
  type PackageStatus,
  type SoundResults,
  statusOfResults,
} from "../../../core/protocol/package-status.ts";
import { report, statusAt } from "../../../core/protocol/package-state.ts";
import { fitResults, parseResults } from "../../../core/protocol/parse-results.ts";
import { updatePackage, findPackage, notifyPackage } from "./update-package.ts";
import type { Context } from "../context.ts";
import { noteImport } from "./note-import.ts";

/**
 * Stores the importer's report: the package's final state and the result of each sound, shortened where
 * they are too long to store (rules S3, S7, S9). A newer report replaces the older one; repeating a
 * report changes nothing.
 * @throws {Refusal} 422 RESULTS_WRONG or SOUND_UNKNOWN, 409 PACKAGE_NOT_COMMITTED, 404
 */
export async function reportResults(
  context: Context,
  deviceId: string,
  packageId: string,
  request: unknown,
): Promise<PackageStatus> {
  const { before, after } = await updatePackage(
    context,
    () => findPackage(context, deviceId, packageId),
    (record) => {
      const soundIds = record.manifest.items.map((item) => item.id);
      const results: SoundResults = fitResults(parseResults(request, soundIds));
      const life = report(record.life, statusOfResults(soundIds, results));
      const same =
        record.life.lease === null && JSON.stringify(results) === JSON.stringify(record.results);
      return same ? record : { ...record, life, results };
    },
  );
  if (after !== before) await notifyPackage(context, after);
  const { outcome, committedAt } = after.life;
  if (before.life.outcome === null && outcome !== null && committedAt !== null) {
    context.meter.imported(outcome, Math.max(0, context.clock.now() - committedAt) / 1000);
  }
  const status = statusAt(after.life, context.clock.provenNow());
  await noteImport(context, deviceId, status);
  return status;
}
