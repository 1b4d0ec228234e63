/** Hosts whose names read otherwise in a sentence. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["live", "Live"],
  ["preview", "the preview"],
  ["dawproject", "a DAWproject"],
  ["dawproject-arrangement", "a DAWproject with an arrangement"],
]);

/**
 * Where a package went, to be put behind “imported”, such as ` into a DAWproject`.
 * @param otherHost a host's word for itself; nothing is said of the importer's own, which has none here
 */
export function formatInto(otherHost: string | undefined): string {
  return otherHost === undefined ? "" : ` into ${NAMES.get(otherHost) ?? otherHost}`;
}
