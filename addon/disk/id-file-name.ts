import { createHash } from "node:crypto";

/** Ids that are safe as a name on every system: with a prefix, so that no device name is among them. */
const PLAIN_ID = /^(pkg|local)_[A-Za-z0-9_-]{1,95}$/;

/**
 * The name, without an ending, of the file that the importer keeps about a package. The id itself
 * where it is plain; any other, hostile ones too, goes by its hash.
 */
export function idFileName(packageId: string): string {
  if (PLAIN_ID.test(packageId)) return packageId;
  return `other_${createHash("sha256").update(packageId).digest("hex").slice(0, 32)}`;
}
