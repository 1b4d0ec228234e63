import { createHash } from "node:crypto";

/** The form of ids that are safe file names on every system; the prefix rules out device names such as `CON`. */
const PLAIN_ID = /^(pkg|local)_[A-Za-z0-9_-]{1,95}$/;

/** Returns the base name of a package's file: the id if it is safe, else its hash. */
export function fileNameForId(packageId: string): string {
  if (PLAIN_ID.test(packageId)) return packageId;
  return `other_${createHash("sha256").update(packageId).digest("hex").slice(0, 32)}`;
}
