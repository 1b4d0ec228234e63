import type { Manifest, Sound, Warning } from "../../core/manifest/manifest.ts";
import type { RelayPort } from "../relay/relay-port.ts";

/** A package to import, wherever its sounds come from: a relay or a folder of this computer. */
export interface PackageSource {
  readonly packageId: string;
  readonly manifest: Manifest;
  readonly warnings: readonly Warning[];
  /** Sounds that can't be used whatever their file holds: sound id → why. */
  readonly problems: ReadonlyMap<string, string>;
  /** Where the package is taken and reported; undefined for a local one, which is neither. */
  readonly relay: RelayPort | undefined;
  /**
   * Opens a sound's file from `startByte` on. Aborting the signal closes the body.
   * @throws {Error} with a sentence; with a `status` where a relay answered
   */
  open(
    sound: Sound,
    options: { readonly startByte: number; readonly signal: AbortSignal },
  ): Promise<SoundStream>;
}

/** The bytes of a sound on their way in. */
export interface SoundStream {
  /** Where in the file the body starts: what was asked for, or 0 where the source can't. */
  readonly startByte: number;
  /** Size of the whole file. */
  readonly fileBytes: number;
  /** Its pieces are handed over: the reader empties them when it is done. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Whether a text names a package by its id; any other names a folder. */
export function isPackageId(source: string): boolean {
  return /^(pkg_[\w-]+|local_[0-9a-f]{32})$/.test(source);
}
