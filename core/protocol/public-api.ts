import { inLiveMenu, LIVE_MENU } from "../live-menu.ts";
import type { Warning } from "../manifest/manifest.ts";
import type { PackageStatus, SoundResults } from "./package-status.ts";

// The bodies of the public API, as they go over the wire. Times are ISO 8601 UTC with milliseconds.

/** Body of `POST /pair/claim`. */
export interface ClaimRequest {
  /** Case, spaces and hyphens don't matter. */
  readonly code: string;
  readonly app_name: string;
  /** The app's own installation id, 1 to `MAX_APP_ID_LENGTH` characters. */
  readonly app_id: string;
}

/** Answer of `POST /pair/claim`. */
export interface ClaimAnswer {
  readonly app_token: string;
  readonly device_name: string;
}

/** Answer of `GET /app/me`. */
export interface MeAnswer {
  readonly device_name: string;
  readonly app_name: string;
  readonly paired_at: string;
  /** Room for an announcement now, as advice. Missing at older relays. */
  readonly room: {
    readonly bytes_left: number;
    /** Number of the app's packages that may wait besides those that do. */
    readonly waiting_left: number;
    /** The most that one package may have. */
    readonly package_bytes_max: number;
  };
}

/** Answer of `POST /packages`. */
export interface AnnounceAnswer {
  readonly package_id: string;
  /** File name → percent-encoded path to upload it to, relative to the base address. */
  readonly upload: Readonly<Record<string, string>>;
  readonly warnings: readonly Warning[];
  readonly expires_at: string;
  /** Whole seconds. */
  readonly expires_in: number;
}

/** Answer of `PUT /packages/{id}/files/{file}`. */
export interface UploadAnswer {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** Answer of `GET /packages/{id}/status` (rule S7). */
export interface StatusAnswer {
  readonly package_id: string;
  readonly title: string;
  readonly status: PackageStatus;
  /** True while a run holds the package. */
  readonly taken?: boolean;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly expires_in: number | null;
  readonly files: Readonly<Record<string, "missing" | "uploaded">>;
  readonly results?: SoundResults;
}

/** One problem and its subject. */
export interface Problem {
  readonly error: string;
  readonly code: string;
  /** Id of the sound. */
  readonly sound?: string;
  /** The sound's `file`. */
  readonly file?: string;
  /** The property, such as `sha256`. */
  readonly field?: string;
  /** The sound's place in the package, from 1. */
  readonly position?: number;
}

/** A package in its app's list: its status, without files and results. */
export type OwnPackage = Pick<
  StatusAnswer,
  "package_id" | "title" | "status" | "taken" | "created_at" | "expires_at" | "expires_in"
>;

/** Answer of `GET /packages`. */
export interface OwnPackagesAnswer {
  /** Newest first; at most `MAX_PAGE_PACKAGES`. */
  readonly packages: readonly OwnPackage[];
  /** `after` of the next page; null after the last. */
  readonly next: string | null;
}

/** The body of every response with status 400 or above (rules E1, E3). */
export interface ErrorAnswer extends Problem {
  /** With every 422 of an announcement: all that is wrong, at most `MAX_PROBLEMS`, the first as above. */
  readonly problems?: readonly Problem[];
  /** With `FILES_MISSING`: every missing file name. */
  readonly missing?: readonly string[];
  /** With `UPLOAD_OFFSET_DIFFERS`: the problem's type in the draft “Resumable Uploads for HTTP”. */
  readonly type?: string;
  /** With `UPLOAD_OFFSET_DIFFERS`: where the next part begins. */
  readonly "expected-offset"?: number;
  /** With `UPLOAD_OFFSET_DIFFERS`: where this one did. */
  readonly "provided-offset"?: number;
  /** With `RUN_ELSEWHERE`: whole seconds until the lease ends. */
  readonly expires_in?: number;
  /** With `IMPORTER_TOO_OLD`: the supported versions of the importer's API. */
  readonly importer_api?: readonly number[];
  /** With `/readyz`: the reason why it is not ready. */
  readonly reason?: "full" | "locked" | "lost" | "failing" | "draining";
  /** With `NOT_READY` of `/readyz`: the part that accepts no change, the database or the store of the sounds. */
  readonly part?: "database" | "store";
  /** With `/readyz`: what an operator should know, in sentences. */
  readonly notices?: readonly string[];
}

/** The place where the user clicks to import; for senders to show while a package waits. */
export const WHERE_TO_IMPORT = `Click Import in Soundferry, or in Live: right-click a scene → ${inLiveMenu(LIVE_MENU.choose)}`;
