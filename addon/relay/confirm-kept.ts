import type { ReportedResults } from "../../core/protocol/importer-api.ts";
import type { SoundResults } from "../../core/protocol/package-status.ts";

/**
 * Marks the sounds of a report that the importer keeps (rule L12). A result without a path says that its sound is in no
 * sounds folder, such as a dismissed one.
 * @param kept ids of the sounds that are there
 */
export function confirmKept(results: SoundResults, kept: ReadonlySet<string>): ReportedResults {
  const confirmed: Record<string, ReportedResults[string]> = Object.create(null);
  for (const [id, result] of Object.entries(results)) {
    const isKept = result.path !== undefined && kept.has(id);
    confirmed[id] = isKept ? { ...result, kept: true } : result;
  }
  return confirmed;
}
