import type { WarpGuess } from "./live-habits.ts";

const WRONG_BY = { "near set": 1, half: 0.5, double: 2, off: 1.03 } as const;

/** The tempo, in BPM, that Live takes a file to have. */
export function guessTempo(fileSeconds: number, setTempoBpm: number, guess: WarpGuess): number {
  if (typeof guess === "number") return guess;
  const beatsAtSetTempo = (setTempoBpm * fileSeconds) / 60;
  const beats = 2 ** Math.max(0, Math.round(Math.log2(beatsAtSetTempo)));
  return ((beats * 60) / fileSeconds) * WRONG_BY[guess];
}
