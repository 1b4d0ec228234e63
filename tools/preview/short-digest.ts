import { createHash } from "node:crypto";

/** A digest of 22 URL-safe characters. */
export function shortDigestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
