import { liveSetSentence } from "./live-set-sentences.ts";

/** The elements of a track with its clip, and those of one slot of each of its two lists. */
const TRACK_ELEMENTS = 600;
const SLOT_ELEMENTS = 12;
/** The most elements of a Set: about 30 MB of XML, which other programs still read. */
const MOST_ELEMENTS = 1_000_000;

/** More packages than one Set can hold; the message is a sentence. */
export class SetTooLargeError extends Error {
  override readonly name = "SetTooLargeError";

  constructor() {
    super(liveSetSentence("SET_TOO_LARGE"));
  }
}

/**
 * Checks that a Set has room (rule LS11): each track has a slot for each scene, so that its size grows with both.
 * @throws {SetTooLargeError}
 */
export function assertSetFits({
  tracks,
  scenes,
}: {
  readonly tracks: number;
  readonly scenes: number;
}): void {
  const elements = tracks * (TRACK_ELEMENTS + SLOT_ELEMENTS * scenes);
  if (elements > MOST_ELEMENTS) throw new SetTooLargeError();
}
