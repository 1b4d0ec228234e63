/** The Live behind a control surface. */
export interface LiveVersion {
  /** Live's version, such as `12.1.5`. */
  readonly live: string;
  /** Live's edition, such as `Suite`; null where Live can't tell, as in Live 11. */
  readonly edition: string | null;
}

/** Formats a version and edition, such as `Live 12.1.5 Standard`, or `Live 11.3.25` without an edition. */
export function formatLive({ live, edition }: LiveVersion): string {
  return edition === null ? `Live ${live}` : `Live ${live} ${edition}`;
}

/** Names the edition in a sentence about its limits, such as `Live Lite`. */
export function formatEdition({ edition }: Pick<LiveVersion, "edition">): string {
  return edition === null ? "This Live" : `Live ${edition}`;
}

/** The versions that have the call that makes a clip of a file. */
export const SUPPORTED_LIVES =
  "Soundferry places sounds in Live 11.3.25 or later 11.3, or in 12.0.5 or later. The update is free.";

/** Returns a sentence about a Live that lacks that call. */
export function unsupportedSentence({ live }: Pick<LiveVersion, "live">): string {
  return `This is Live ${live}. ${SUPPORTED_LIVES}`;
}

/** The Live in use, of those that answer. */
export interface LiveInUse extends LiveVersion {
  /** The number of Lives that answer. */
  readonly lives: number;
  /** True if no other of them was started later. */
  readonly isNewest: boolean;
}

/** Returns a sentence on which of several Lives is used; undefined where only one runs. */
export function livesSentence({ lives, isNewest, ...live }: LiveInUse): string | undefined {
  if (lives < 2) return undefined;
  return `${lives} Lives run; Soundferry uses ${formatLive(live)}${isNewest ? ", started last" : ""}.`;
}
