// Browsers hash only whole buffers, and nothing at all on pages loaded over plain http.
// oxlint-disable-next-line no-restricted-imports -- bundled, so it is not installed
import { sha256 } from "@noble/hashes/sha2.js";
import type { Sha256 } from "../send/sound-bytes.ts";

/** Creates a SHA-256 that runs everywhere. */
export function portableSha256(): Sha256 {
  return sha256.create();
}
