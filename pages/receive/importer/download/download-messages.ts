import type { WavHeader } from "../../../../core/audio/wav-header.ts";
import type { LiveSetFile, LiveSetRequest } from "../save/live-set-file.ts";
import type { Sound } from "../../../../core/manifest/manifest.ts";

// The messages between the page and its downloading Worker.

/** A sound of a relay's package, whose bytes can be proven. */
export type ProvableSound = Sound & Required<Pick<Sound, "bytes" | "sha256">>;

/** A place in the page's private files: `<folder>/<name>`. */
export interface PartPlace {
  readonly folder: string;
  readonly name: string;
}

export interface DownloadTask {
  readonly sound: ProvableSound;
  /** The path at the page's own relay. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly place: PartPlace;
  /** True if a ZIP needs the CRC-32. */
  readonly needsCrc: boolean;
  /** The memory of a Worker for sounds that it hashes as a whole. */
  readonly memoryBytes: number;
}

export type ToWorker =
  | ({ readonly kind: "download"; readonly id: number } & DownloadTask)
  | { readonly kind: "cancel"; readonly id: number }
  | ({ readonly kind: "live-set"; readonly id: number } & LiveSetRequest);

/** A whole sound in the page's private files, proven by its size and SHA-256. */
export interface DownloadedSound {
  readonly header: WavHeader;
  /** 0 unless it was asked for. */
  readonly crc32: number;
}

/** Why an attempt failed. */
export type DownloadTrouble =
  /** The sound itself can't be used; further attempts don't help. */
  | { readonly why: "sound"; readonly sentence: string }
  /** The relay's answer with a status of 300 or above. */
  | {
      readonly why: "refused";
      readonly status: number;
      readonly retryAfter: string | undefined;
      readonly body: unknown;
    }
  /** Something else answered in the relay's place. */
  | { readonly why: "foreign"; readonly status: number }
  | { readonly why: "not-sound" | "network" | "room" | "storage" }
  /** Another tab still has the file open. */
  | { readonly why: "busy" }
  /** The connection worked, but the sound didn't come as a whole. */
  | {
      readonly why: "cut";
      readonly code: "FILE_OTHER_PART" | "FILE_TOO_LONG" | "FILE_ENDED_EARLY";
    };

export type FromWorker =
  | { readonly kind: "ready" | "failed" }
  | { readonly kind: "bytes"; readonly id: number; readonly seenBytes: number }
  | { readonly kind: "done"; readonly id: number; readonly downloaded: DownloadedSound }
  | { readonly kind: "live-set"; readonly id: number; readonly file: LiveSetFile | null }
  | { readonly kind: "trouble"; readonly id: number; readonly trouble: DownloadTrouble };
