import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { readWavHeaderAt } from "../../../core/audio/read-wav-header-at.ts";
import type { WavHeader } from "../../../core/audio/wav-header.ts";
import { WavHeaderReader } from "../../../core/audio/wav-header-reader.ts";
import { chunk, extensible, format, join, wav } from "../../../fixtures/wav-bytes.ts";

const anyBytes = fc.uint8Array({ maxLength: 80 });
const names = fc.oneof(
  fc.constantFrom("fmt ", "data", "LIST", "JUNK", "smpl", "cue "),
  fc.string({ minLength: 4, maxLength: 4, unit: "binary-ascii" }),
);
const claims = fc.oneof(
  fc.constantFrom(0, 1, 16, 40, 0x7fff_f000, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff),
  fc.integer({ min: 0, max: 200 }),
  fc.integer({ min: 0, max: 0xffff_ffff }),
);
const formats = fc
  .record(
    {
      tag: fc.constantFrom(0, 1, 2, 3, 0x55),
      channels: fc.integer({ min: 0, max: 3 }),
      sampleRateHz: fc.constantFrom(0, 1, 44_100, 192_000, 192_001),
      bits: fc.constantFrom(0, 8, 16, 20, 24, 32, 64),
      subTag: fc.constantFrom(1, 2, 3),
    },
    { requiredKeys: [] },
  )
  .chain((fields) => fc.constantFrom(format(fields), extensible(fields)));
const truths = fc.tuple(names, anyBytes).map(([name, body]) => chunk(name, body));
const lies = fc
  .tuple(names, anyBytes, claims)
  .map(([name, body, claimed]) => chunk(name, body, claimed));
const goodFormats = fc.constantFrom(
  format(),
  format({ tag: 3, bits: 32 }),
  extensible({ channels: 2, bits: 24 }),
);
const formatChunks = fc.oneof(formats, goodFormats).map((body) => chunk("fmt ", body));

/** Files made of chunks that tell the truth or lie, in any order, half of them after a format. */
export const chunkSoups = fc
  .tuple(
    fc.array(formatChunks, { maxLength: 1 }),
    fc.array(fc.oneof(truths, lies, formatChunks), { maxLength: 12 }),
  )
  .map(([first, others]) => wav([...first, ...others]));

/** Good files in which some bytes were changed and whose end may be missing. */
export const damagedWavs = fc
  .tuple(
    goodFormats,
    anyBytes,
    anyBytes,
    fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
    fc.option(fc.nat(), { nil: Number.POSITIVE_INFINITY, freq: 1 }),
  )
  .map(([body, before, audio, changes, keptBytes]) => {
    const whole = wav([chunk("JUNK", before), chunk("fmt ", body), chunk("data", audio)]);
    for (const [at, value] of changes) whole[at % whole.length] = value;
    return whole.subarray(0, keptBytes % (whole.length + 1) || whole.length);
  });

/** Bytes without any order. */
export const noise = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => join(wav([]), bytes)),
);

/** Sizes of the pieces that a file is sent in, over and over. */
export const pieceSizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 });

/**
 * Proves what holds for any bytes: both drivers say the same, throw nothing but refusals, read
 * nothing outside of the file, and a header that they give describes audio inside of it.
 * @param announcedBytes the announced size of the file.
 */
export async function expectSoundJudgment(
  bytes: Uint8Array,
  sizes: readonly number[],
  announcedBytes = bytes.length,
): Promise<void> {
  const readAt = (offset: number, length: number): Promise<Uint8Array> => {
    if (offset < 0 || length < 1 || offset + length > announcedBytes) {
      throw new Error(`read of ${length} bytes at ${offset}, outside the file`);
    }
    return Promise.resolve(bytes.slice(offset, offset + length));
  };
  const found = await settle(() => readWavHeaderAt(readAt, announcedBytes, "kick.wav"));
  assert.deepEqual(await settle(() => streamed(bytes, sizes, announcedBytes)), found);
  if ("code" in found) return;
  assert.ok(found.dataOffset + found.dataBytes <= announcedBytes, "the audio is in the file");
  const frameBytes = (found.channels * found.bitsPerSample) / 8;
  assert.equal(found.frames, Math.floor(found.dataBytes / frameBytes));
  assert.ok(found.frames >= 1, "there is audio");
  const view = new DataView(bytes.buffer, bytes.byteOffset + found.dataOffset - 8, 8);
  assert.equal(view.getUint32(0), 0x6461_7461);
  assert.equal(view.getUint32(4, true), found.dataBytes);
}

function streamed(bytes: Uint8Array, sizes: readonly number[], announcedBytes: number): WavHeader {
  const reader = new WavHeaderReader(announcedBytes, "kick.wav");
  let offset = 0;
  for (let turn = 0; offset < bytes.length; turn += 1) {
    const end = offset + (sizes[turn % sizes.length] ?? 1);
    reader.push(bytes.slice(offset, end));
    offset = end;
  }
  return reader.end();
}

async function settle(
  read: () => WavHeader | Promise<WavHeader>,
): Promise<WavHeader | { code: string; error: string }> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { code: error.code, error: error.message };
  }
}
