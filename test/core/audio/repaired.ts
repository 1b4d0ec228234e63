import { Buffer } from "node:buffer";
import { expect } from "vitest";
import { repairWav } from "../../../client/audio/repair-wav.ts";
import { readLoopHints } from "../../../core/audio/read-loop-hints.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { chunk, format, wav } from "../../../fixtures/wav-bytes.ts";

/** The sentences of the commonest notes. */
export const NOTES = {
  streamed: "Its header had no length (it was streamed); the length was measured.",
  wrongLength: "Its header had a wrong length; the length was measured.",
  cut: "Its last bytes are missing; the whole frames before them are kept.",
  tagged: "An ID3 tag in front of it was removed.",
  misaligned: "Its header had a wrong frame size (block align); it was corrected.",
};

/** Samples of any format. */
export const AUDIO = Uint8Array.from({ length: 96 }, (_, at) => (at * 37 + 11) % 256);

/** Repairs a file and reads it as a relay does. The WAV that it becomes is whole, with its RIFF size. */
export async function repaired(file: Uint8Array) {
  const { sound, notes } = await repairWav(new Blob([new Uint8Array(file)]));
  const bytes = Buffer.from(await sound.arrayBuffer());
  const readAt = async (offset: number, length: number) => bytes.subarray(offset, offset + length);
  const header = await readWavHeaderAt(readAt, bytes.length, "kick.wav");
  expect([bytes.length % 2, bytes.readUInt32LE(4) + 8]).toEqual([0, bytes.length]);
  const end = header.dataOffset + header.dataBytes;
  return {
    header,
    hints: await readLoopHints(readAt, bytes.length),
    bytes: new Uint8Array(bytes),
    audio: new Uint8Array(bytes.subarray(header.dataOffset, end)),
    notes: notes.map(({ message }) => message),
  };
}

/** A file of `AUDIO` whose headers say these sizes. */
export function sized(
  dataBytes: number,
  riffBytes: number,
  { body = format(), container = "RIFF" } = {},
): Uint8Array {
  const file = wav([chunk("fmt ", body), chunk("data", AUDIO, dataBytes)], container);
  new DataView(file.buffer).setUint32(4, riffBytes, true);
  return file;
}
