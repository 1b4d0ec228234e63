import { textAt } from "./read-chunks.ts";

/** The first four bytes of every kind of WAV, including the refused kinds. */
export const CONTAINERS = ["RIFF", "RF64", "BW64", "RIFX"];

/** Checks whether a WAV of any kind starts here. */
export function isWavStart(bytes: Uint8Array, at = 0): boolean {
  return CONTAINERS.includes(textAt(bytes, at)) && textAt(bytes, at + 8) === "WAVE";
}
