import { createHash } from "node:crypto";

/** 22 characters that fit into an address, never the same for two texts. */
export function shortDigestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
