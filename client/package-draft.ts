import type { SoundKind, SoundRole, WarpMode } from "../core/manifest/manifest.ts";

/** The bytes of a sound: a WAV. A Blob or File is read piece by piece and never held whole. */
export type SoundSource = Blob | Uint8Array | ArrayBuffer;

/** A package as an app thinks of it; `send` makes the manifest of it, which the relay judges. */
export interface PackageDraft {
  /** Names the scene; at most 60 characters. Default `Untitled`. */
  readonly title?: string | undefined;
  /** Stands behind each name, as `<name> (<app>)`. Default: the name that the client's `app` has. */
  readonly app?: string | undefined;
  /** Only logged. */
  readonly appVersion?: string | undefined;
  /** Tempo of every loop without one of its own; 20 to 999. */
  readonly bpm?: number | undefined;
  /** 1 to 32, together at most 200 MB; each becomes one track. */
  readonly sounds: readonly SoundDraft[];
}

/** One sound of a draft. Only its source is needed; the fields mean what `docs/manifest.md` says. */
export interface SoundDraft {
  readonly source: SoundSource;
  /** Its name on the relay, unique in the package. Default: the `File`'s own where that will do, else a number's. */
  readonly file?: string | undefined;
  /** The app's own id; the result comes back under it. Default: the position, counted from 1. */
  readonly id?: string | undefined;
  /** Track and clip name, at most 40 characters. Default: the `File`'s without its ending, else `Sound 1` and so on. */
  readonly name?: string | undefined;
  /** Default `oneshot`: a loop must say so. */
  readonly kind?: SoundKind | undefined;
  /** Picks the warp mode of a loop. */
  readonly role?: SoundRole | undefined;
  /** Of this loop, where it differs from the package's; 20 to 999. */
  readonly bpm?: number | undefined;
  /** Of a loop: above 0, up to 4096. Default: what tempo and file give. */
  readonly lengthBeats?: number | undefined;
  /** Of a loop, instead of the warp mode for the `role`. */
  readonly warpMode?: WarpMode | undefined;
  /** `#RRGGBB`. Default: one that the package's sounds share. */
  readonly color?: string | undefined;
  /** -70 to +24; 0 plays the file as it is. */
  readonly gainDb?: number | undefined;
}
