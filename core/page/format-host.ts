/** How hosts are named inside a sentence. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["live", "Live"],
  ["preview", "the preview"],
  ["dawproject", "a DAWproject"],
  ["dawproject-arrangement", "a DAWproject with an arrangement"],
]);

/** A host inside a sentence, such as `the preview`. */
export function formatHost(name: string): string {
  return NAMES.get(name) ?? name;
}

/**
 * The destination to append to “imported”, such as ` into a DAWproject`.
 * @param otherHost host id; undefined (the importer's own hosts) returns an empty string
 */
export function formatInto(otherHost: string | undefined): string {
  return otherHost === undefined ? "" : ` into ${formatHost(otherHost)}`;
}
