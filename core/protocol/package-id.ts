/** The form of a package's id at a relay: `pkg_` and 22 URL-safe characters (rule M8). */
export const PACKAGE_ID = "pkg_[A-Za-z0-9_-]{22}";

const WHOLE = new RegExp(`^${PACKAGE_ID}$`);

/** Returns whether a value has the form of a package's id at a relay. */
export function isRelayPackageId(value: unknown): value is string {
  return typeof value === "string" && WHOLE.test(value);
}

/** Returns whether a text is a package id; any other text is a folder's path. */
export function isPackageId(source: string): boolean {
  return /^(pkg_[\w-]+|local_[0-9a-f]{32})$/.test(source);
}
