import { setTimeout as sleep } from "node:timers/promises";
import type { BuildImporterOptions } from "../../../../addon/build-importer.ts";
import type { PreviewFaults } from "../../../../addon/hosts/preview/preview-faults.ts";
import { PreviewHost } from "../../../../addon/hosts/preview/preview-host.ts";
import { type Outcome, SLOW_STEP_MS } from "./outcomes.ts";

const FAULTS: Readonly<Partial<Record<Outcome, PreviewFaults>>> = {
  partial: { failsClip: (nth) => nth === 2 },
  failed: { failsClip: () => true },
  slow: { beforeCall: () => sleep(SLOW_STEP_MS) },
};

/**
 * What the importer of `up --pretend` is built of: the preview itself fails or is slow, so that import, report and
 * status go their usual way. Nothing without an outcome.
 */
export function pretendAtHost(
  outcome: Outcome | undefined,
  previewSession: string,
): Partial<Pick<BuildImporterOptions, "host" | "autoImport" | "pretends">> {
  if (outcome === undefined) return {};
  return {
    host: new PreviewHost(previewSession, { faults: FAULTS[outcome] ?? {} }),
    pretends: outcome,
    ...(outcome === "expired" && { autoImport: false }),
  };
}
