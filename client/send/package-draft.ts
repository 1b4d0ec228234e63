import type { SoundKind, SoundRole, WarpMode } from "../../core/manifest/manifest.ts";
import type { JsonObject } from "../../core/text/json-object.ts";

/** The bytes of a sound: a WAV. A Blob or File is read piece by piece and never held whole. */
export type SoundSource = Blob | Uint8Array | ArrayBuffer;

/** An app's description of a package. `send` converts it to a manifest, which the relay validates. */
export interface PackageDraft {
  /** Names the scene; at most 60 characters. Default `Untitled`. */
  readonly title?: string | undefined;
  /** Appended to each name, as `<name> (<app>)`. Default: the name of the client's `app`. */
  readonly app?: string | undefined;
  /** The app's version, which is only logged. */
  readonly appVersion?: string | undefined;
  /** Tempo of every loop without one of its own; 20 to 999. */
  readonly bpm?: number | undefined;
  /** 1 to 32, together at most 200 MB; each becomes one track. */
  readonly sounds: readonly SoundDraft[];
}

/** One sound of a draft. Only its source is required; `docs/use/manifest.md` describes the fields. */
export interface SoundDraft {
  readonly source: SoundSource;
  /** The sound's name on the relay, unique in the package. Default: a valid `File` name, otherwise a numbered one. */
  readonly file?: string | undefined;
  /** The app's own id; the sound's result has it too. Default: the position, counted from 1. */
  readonly id?: string | undefined;
  /** Track and clip name, at most 40 characters. Default: the `File`'s, without extension, or `Sound <n>`. */
  readonly name?: string | undefined;
  /** Default: `oneshot`, so a loop must set it. */
  readonly kind?: SoundKind | undefined;
  /** Selects a loop's warp mode. */
  readonly role?: SoundRole | undefined;
  /** The loop's own tempo if it differs from the package's; 20 to 999. */
  readonly bpm?: number | undefined;
  /** Length of a loop: above 0, up to 4096. Default: derived from tempo and file. */
  readonly lengthBeats?: number | undefined;
  /** A loop's warp mode, instead of the one for its `role`. */
  readonly warpMode?: WarpMode | undefined;
  /** `#RRGGBB`. Default: the color that the package's sounds share. */
  readonly color?: string | undefined;
  /** -70 to +24; 0 plays the file unchanged. */
  readonly gainDb?: number | undefined;
}

/** A manifest with the bytes of each of its files, for `sendManifest`. */
export interface OutgoingPackage {
  /** In the format `app2host/1`, with `bytes` and `sha256` for every sound; the relay validates it. */
  readonly manifest: JsonObject;
  /** Bytes by the manifest's `file`. A Blob backed by a file is never read whole. */
  readonly sounds: ReadonlyMap<string, Blob>;
}
