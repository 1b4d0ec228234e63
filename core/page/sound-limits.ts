/** A file up to this size is fetched for its outline as soon as the sound can be seen: 12 MB. */
export const OUTLINE_BYTES = 12_000_000;
/** A larger one only when it is played, and above 64 MB not at all: it would have to be in memory twice. */
export const PLAY_BYTES = 64_000_000;
