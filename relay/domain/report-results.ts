import {
  type PackageStatus,
  type SoundResults,
  statusOfResults,
} from "../../core/package-status.ts";
import { report, statusAt } from "../../core/package-life.ts";
import { parseResults } from "../../core/parse-results.ts";
import { changePackage, findPackage, ringPackage } from "./change-package.ts";
import type { Context } from "./context.ts";

/**
 * Takes the importer's report: the package's true state and what became of each sound (rules S3, S9).
 * A newer report replaces the older; the same one again changes nothing.
 * @throws {Refusal} 422 RESULTS_WRONG or SOUND_UNKNOWN, 409 PACKAGE_NOT_COMMITTED, 404
 */
export async function reportResults(
  context: Context,
  deviceId: string,
  packageId: string,
  request: unknown,
): Promise<PackageStatus> {
  const { before, after } = await changePackage(
    context,
    () => findPackage(context, deviceId, packageId),
    (record) => {
      const soundIds = record.manifest.items.map((item) => item.id);
      const results: SoundResults = parseResults(request, soundIds);
      const life = report(record.life, statusOfResults(soundIds, results));
      const same =
        record.life.lease === null && JSON.stringify(results) === JSON.stringify(record.results);
      return same ? record : { ...record, life, results };
    },
  );
  if (after !== before) await ringPackage(context, after);
  return statusAt(after.life, context.clock.now());
}
