import type { PackageAudioJson } from "../../../core/layout/audio-schema.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import type { GoldenHint } from "../../../core/layout/compare-audio.ts";
import type { LayoutDifference } from "../../../core/layout/compare-layouts.ts";
import type { PreviewGolden } from "../../../core/protocol/preview-api.ts";
import type { FolderPackage } from "../read-package-folder.ts";
import type { Place } from "./manifest-places.ts";

/**
 * Result of comparing a package with its golden. `outdated_text`: only layout.txt differs. `faulty`: something is wrong
 * with a file. `broken`: the package can't be read.
 */
export type CheckStatus = PreviewGolden["status"] | "outdated_text" | "faulty" | "broken";

/** A package that was compared with its golden. Every report is a format of it (rule B10). */
export interface CheckedPackage {
  /** The path as given. */
  readonly folder: string;
  readonly manifestPath: string;
  readonly status: CheckStatus;
  /** `NO_PACKAGE` if the path is mistyped. */
  readonly code?: string;
  /** The scene's name; null if the package can't be read. */
  readonly scene: string | null;
  /** The sounds in their order, then those that are no longer there. */
  readonly sounds: readonly { readonly id: string; readonly name: string }[];
  /** Sentences for people: about the package, files, settings, audio and findings. */
  readonly problems: readonly CheckProblem[];
  /** The differences for programs, setting by setting. */
  readonly differences: readonly PlacedDifference[];
  readonly hints: readonly CheckHint[];
  /** The package; undefined if it can't be read. */
  readonly read: FolderPackage | undefined;
  /** Accepted and current audio; undefined if that isn't known. */
  readonly audio: {
    readonly accepted: PackageAudioJson | undefined;
    readonly now: PackageAudioJson | undefined;
  };
}

/** A difference, a finding, or a reason why a package or sound can't be compared. */
export interface CheckProblem {
  readonly severity: "error" | "warning";
  /** `golden`: about the golden, or the whole package. `file`: of a sound. `setting` and `audio`: differences. */
  readonly kind: "golden" | "file" | "setting" | "audio" | "finding";
  /** The sound's id; null for the whole package. */
  readonly sound: string | null;
  /** The sound's name; empty for the package. */
  readonly name: string;
  /** The sound's place in the package, from 1; null for the package, or if it is no longer there. */
  readonly number: number | null;
  /** The setting of a difference, or a code. */
  readonly code: string;
  /** The setting's name; empty without one. */
  readonly label: string;
  /** A sentence without the sound's name. */
  readonly sentence: string;
  /** The accepted and the current value of a setting, in the host's words. */
  readonly changes: readonly (readonly [accepted: string, now: string])[];
  /** Its place in the manifest; null if that is unknown. */
  readonly place: Place | null;
  /** Set for a finding. */
  readonly finding?: Finding;
}

/** A problem before its place in the manifest is known. */
export type DescribedProblem = Omit<CheckProblem, "place">;

/** Names a package in a report: by its scene, else by its folder. */
export function titleOf({ scene, folder }: CheckedPackage): string {
  return scene ?? folder;
}

interface PlacedDifference extends LayoutDifference {
  readonly place: Place | null;
}

/** A change that needs no acceptance. */
export interface CheckHint {
  readonly code: GoldenHint["code"];
  /** Ids of the sounds. */
  readonly sounds: readonly string[];
  /** A sentence. */
  readonly hint: string;
}
