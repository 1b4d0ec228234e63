import { SAVED_AS_FILES } from "../../../core/protocol/package-status.ts";
import type { ImportedTrack, ImportOutcome } from "../../../core/protocol/import-outcome.ts";
import { ONE_SHOT } from "../../core/layout/sample-package.ts";

/** One sound of a saved package. */
export function savedTrack(id: string): ImportedTrack {
  return {
    id,
    ...ONE_SHOT,
    clip: `Kick ${id}`,
    status: "imported",
    track: `Kick ${id} (Looper)`,
    file: `Kick ${id}.wav`,
    path: `Kit/Kick ${id}.wav`,
    notes: [SAVED_AS_FILES],
    differences: [],
    error: null,
    color_index: 3,
    gain_db: 0,
  };
}

/** The outcome of a package that was only saved. */
export const SAVED: ImportOutcome = {
  package_id: "pkg_1",
  status: "imported",
  scene: { name: "Kit (Looper)" },
  folder: "/sounds/Kit",
  tracks: [savedTrack("1")],
};
