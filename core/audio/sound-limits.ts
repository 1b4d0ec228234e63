/** Files up to this size (12 MB) are fetched for their outline as soon as they scroll into view. */
export const OUTLINE_BYTES = 12_000_000;
/** Larger files load only when played; above 64 MB not at all, since playback holds them in memory twice. */
export const PLAY_BYTES = 64_000_000;
