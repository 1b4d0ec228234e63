import { MAX_PACKAGE_BYTES } from "../core/limits.ts";
import { PACKAGE_SIZE } from "../core/text/format-limit.ts";
import { ClientError } from "./client-error.ts";
import { countBytes } from "./count-bytes.ts";
import { describePackage } from "./describe-package.ts";
import { hashSound, type HashOptions } from "./hash-sound.ts";
import type { OutgoingPackage } from "./outgoing-package.ts";
import type { PackageDraft } from "./package-draft.ts";
import type { SendOptions } from "./send-options.ts";

export interface PrepareOptions
  extends Pick<SendOptions, "onProgress" | "signal">, Pick<HashOptions, "sha256"> {
  /** For a draft that names no app. */
  readonly appName?: string | undefined;
}

/**
 * Prepares a draft for sending: names, measures and hashes its files one after another.
 * @throws {ClientError} `SOUND_UNREADABLE`; `TOTAL_TOO_LARGE` before any hashing
 */
export async function preparePackage(
  draft: PackageDraft,
  { appName, onProgress, signal, sha256: begin }: PrepareOptions = {},
): Promise<OutgoingPackage> {
  const { head, sounds } = describePackage(draft, appName);
  const totalBytes = sounds.reduce((sum, { blob }) => sum + blob.size, 0);
  if (totalBytes > MAX_PACKAGE_BYTES) {
    const sentence = `These sounds are too large together: a package can have at most ${PACKAGE_SIZE}.`;
    throw new ClientError(sentence, { code: "TOTAL_TOO_LARGE" });
  }
  const sizes = new Map(sounds.map(({ file, blob }) => [file, blob.size]));
  const count = countBytes("hashing", sizes, onProgress);
  const items = [];
  for (const { file, item, blob } of sounds) {
    const sha256 = await hashSound(blob, {
      sha256: begin,
      signal,
      onProgress: (hashedBytes) => count(file, hashedBytes),
    });
    items.push({ ...item, bytes: blob.size, sha256 });
  }
  return {
    manifest: { ...head, items },
    sounds: new Map(sounds.map(({ file, blob }) => [file, blob])),
  };
}
