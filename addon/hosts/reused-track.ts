// Notes of an import on the tracks of an earlier one (rule R15).

export const ON_EARLIER_TRACK = "It is on its track from the earlier import.";
export const NO_TRACK = "There is no earlier track for it, so it got a new one.";
export const TRACK_UNUSABLE = "Its earlier track is frozen or takes no audio, so it got a new one.";
