import assert from "node:assert/strict";
import * as fc from "fast-check";
import { repairWav } from "../../../client/audio/repair-wav.ts";
import { readPiece } from "../../../client/send/sound-bytes.ts";
import { isAiff } from "../../../core/audio/file-start.ts";
import { readAiffAt } from "../../../core/audio/read-aiff-at.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { chunk as wavChunk, wav } from "../../../fixtures/wav-bytes.ts";
import { aiff, chunk } from "../../core/audio/aiff-bytes.ts";
import {
  chunkSoups,
  damagedWavs,
  expectSoundJudgment,
  noise,
  pieceSizes,
} from "../../core/audio/hostile-wavs.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz-target.ts";
import { onlyThrows } from "./only-throws.ts";

const names = fc.constantFrom("COMM", "SSND", "MARK", "INST", "JUNK", "\0\0\0\0");
const bodies = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes));
const chunks = fc.array(fc.tuple(names, bodies), { maxLength: 6 });
const codecs = fc.constantFrom(undefined, "NONE", "sowt", "fl64", "raw ", "ima4", "\0\0\0\0");

const aiffs = fc
  .record({
    codec: codecs,
    bits: fc.integer({ min: 0, max: 64 }),
    channels: fc.integer({ min: 0, max: 3 }),
    sampleRateHz: fc.constantFrom(0, 1, 44_100, 192_001),
    offset: fc.nat(40),
    before: chunks,
    changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 }),
    kept: fc.oneof({ weight: 4, arbitrary: fc.constant(Infinity) }, fc.nat(400)),
  })
  .map(({ changes, kept, before, ...options }) => {
    const bytes = aiff({
      ...options,
      frames: 20,
      audio: Buffer.alloc(200),
      before: before.map(([name, body]) => chunk(name, body)),
    });
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return bytes.subarray(0, kept);
  });

async function readAiff(bytes: Buffer): Promise<void> {
  isAiff(bytes);
  let reads = 0;
  const readAt = async (offset: number, length: number): Promise<Uint8Array> => {
    reads += 1;
    assert.ok(offset >= 0 && length >= 0 && offset + length <= bytes.length, "reads in the file");
    return bytes.subarray(offset, offset + length);
  };
  const header = await onlyThrows(Refusal, () => readAiffAt(readAt, bytes.length, "kick.aif"));
  assert.ok(reads <= 258, "reads a bounded number of chunks");
  if (header === undefined) return;
  const audioBytes = header.frames * header.wav.channels * header.sampleBytes;
  assert.ok(header.dataOffset + audioBytes <= bytes.length, "the audio is in the file");
  assert.ok(header.frames >= 1 && header.wav.sampleRateHz >= 1, "there is audio");
}

/** A file that a relay accepts stays as it is, and whatever is repaired is accepted. */
async function repair(bytes: Uint8Array): Promise<void> {
  const file = new Blob([new Uint8Array(bytes)]);
  const isAccepted = (sound: Blob): Promise<boolean> =>
    onlyThrows(Refusal, () => readHeader(sound)).then((header) => header !== undefined);
  const { sound, notes } = await repairWav(file);
  const isSame = sound === file;
  const isMended = notes.some(({ key }) => key !== "repair.second" && key !== "repair.tag");
  if (await isAccepted(file)) assert.ok(isSame && !isMended, "what is right stays");
  else if (isMended) assert.ok(await isAccepted(sound), "what is repaired is right");
}

function readHeader(sound: Blob) {
  const readAt = (offset: number, length: number) => readPiece(sound, offset, length);
  return readWavHeaderAt(readAt, sound.size, "kick.wav");
}

export const AUDIO_TARGETS: readonly FuzzTarget[] = [
  fuzzTarget(
    "wav",
    fc.tuple(fc.oneof(noise, chunkSoups, damagedWavs), pieceSizes),
    ([bytes, sizes]) => expectSoundJudgment(bytes, sizes),
    (size): [Uint8Array, number[]] => [
      wav(Array.from({ length: size }, () => wavChunk("JUNK", []))),
      [60],
    ],
  ),
  fuzzTarget("wav repair", fc.oneof(noise, chunkSoups, damagedWavs), repair, (size) =>
    wav(Array.from({ length: size }, () => wavChunk("JUNK", []))),
  ),
  fuzzTarget("aiff", aiffs, readAiff, (size) => {
    const empty = chunk("JUNK", Buffer.alloc(0));
    return aiff({ before: Array.from({ length: size }, () => empty) });
  }),
];
