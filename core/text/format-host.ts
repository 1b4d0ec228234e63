import type { Translate } from "../messages/translate.ts";

const KNOWN_HOSTS = [
  "live",
  "folder",
  "preview",
  "dawproject",
  "dawproject-arrangement",
  "live-set",
] as const;

/** Formats a host inside a sentence, such as `the preview`. */
export function formatHost(t: Translate, name: string): string {
  const known = KNOWN_HOSTS.find((host) => host === name);
  return known === undefined ? name : t(`format.host-${known}`);
}

/**
 * Adds a destination to words, such as `All 10 sounds imported into a DAWproject`.
 * @param otherHost host id; undefined (the importer's own hosts) returns the words alone
 */
export function formatInto(t: Translate, words: string, otherHost: string | undefined): string {
  return otherHost === undefined
    ? words
    : t("format.into", { words, host: formatHost(t, otherHost) });
}
