import type { LayoutDifference } from "../../../core/layout/compare-layouts.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";
import type { FolderPackage } from "../read-package-folder.ts";
import type { Place } from "./manifest-places.ts";

/** Result of comparing a package with its golden; `outdated_text` means that only layout.txt differs. */
export type CheckStatus = PreviewGolden["status"] | "outdated_text" | "broken";

/** A package that was compared with its golden. Every report is a format of it (rule B10). */
export interface CheckedPackage {
  /** The path as given. */
  readonly folder: string;
  readonly manifestPath: string;
  readonly status: CheckStatus;
  /** The scene's name; null if the package can't be read. */
  readonly scene: string | null;
  /** The sounds in their order. */
  readonly sounds: readonly { readonly id: string; readonly name: string }[];
  readonly problems: readonly CheckProblem[];
  /** A sentence about something that is no problem. */
  readonly hint?: string;
  /** The package; undefined if it can't be read. */
  readonly read: FolderPackage | undefined;
}

/** A difference, a finding, or a reason why a package can't be compared. */
export interface CheckProblem {
  readonly severity: "error" | "warning";
  /** The sound's id; null for the whole package. */
  readonly sound: string | null;
  /** The sound's name; empty for the package. */
  readonly name: string;
  /** The sound's place in the package, from 1; null for the package, or if it is no longer there. */
  readonly number: number | null;
  /** The setting of a difference, or a code. */
  readonly code: string;
  /** The setting's name; empty without a difference. */
  readonly label: string;
  /** A sentence without the sound's name. */
  readonly sentence: string;
  /** What was accepted, and what is now, in the host's words; empty without a difference. */
  readonly changes: readonly (readonly [accepted: string, now: string])[];
  readonly difference?: LayoutDifference;
  /** Where it is in the manifest; null if that is unknown. */
  readonly place: Place | null;
}
