import { checkTotal } from "./check-sounds.ts";
import { countBytes } from "./count-bytes.ts";
import { type DescribedPackage, describePackage } from "./describe-package.ts";
import { Hasher, type HashSettings } from "./hash-sound.ts";
import type { OutgoingPackage } from "./outgoing-package.ts";
import type { PackageDraft } from "./package-draft.ts";
import type { SendOptions } from "./send-options.ts";

export interface HashOptions extends Pick<SendOptions, "onProgress" | "signal">, HashSettings {}

export interface PrepareOptions extends HashOptions {
  /** For a draft that names no app. */
  readonly appName?: string | undefined;
}

/**
 * Prepares a draft for `sendManifest`: names, measures and hashes its files.
 * @throws {ClientError} `SOUND_UNREADABLE`; `TOTAL_TOO_LARGE` before any hashing
 */
export async function preparePackage(
  draft: PackageDraft,
  { appName, ...options }: PrepareOptions = {},
): Promise<OutgoingPackage> {
  const described = describePackage(draft, appName);
  checkTotal(described.sounds);
  return hashPackage(described, options);
}

/**
 * Hashes the files of a package one after another.
 * @throws {ClientError} `SOUND_UNREADABLE`; the reason of `signal` when that aborts
 */
export async function hashPackage(
  { head, sounds }: DescribedPackage,
  { onProgress, signal, ...settings }: HashOptions,
): Promise<OutgoingPackage> {
  const sizes = new Map(sounds.map(({ file, blob }) => [file, blob.size]));
  const count = countBytes("hashing", sizes, onProgress);
  const hasher = new Hasher(settings);
  try {
    const items = [];
    for (const { file, item, blob } of sounds) {
      const sha256 = await hasher.hash(blob, { signal, onProgress: (bytes) => count(file, bytes) });
      items.push({ ...item, bytes: blob.size, sha256 });
    }
    return {
      manifest: { ...head, items },
      sounds: new Map(sounds.map(({ file, blob }) => [file, blob])),
    };
  } finally {
    hasher.end();
  }
}
