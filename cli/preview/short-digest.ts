import { createHash } from "node:crypto";

/** A digest of 22 URL-safe characters. */
export function shortDigestOf(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}
