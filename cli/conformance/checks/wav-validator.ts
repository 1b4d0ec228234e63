import type { RefusalCode } from "../refusals.ts";
import { assertRefusal, assertStatus } from "../assert.ts";
import type { Check } from "../check.ts";
import { makeWav, type WavShape } from "../sounds.ts";

/** The words end "… a WAV". A case without a code is accepted. */
type WavCase = readonly [id: string, words: string, wav: WavShape | Buffer, code?: RefusalCode];

const TABLE: readonly WavCase[] = [
  ["8-bit", "of 8 bits", { bits: 8 }],
  ["24-bit-stereo", "of 24 bits in stereo", { bits: 24, channels: 2 }],
  ["32-bit", "of 32 bits", { bits: 32 }],
  ["float", "of 32-bit float", { format: 3, bits: 32 }],
  ["extensible", "written as EXTENSIBLE", { isExtensible: true, bits: 24 }],
  ["192-khz", "at 192 kHz", { rateHz: 192_000 }],
  ["big-chunk", "with 300 kB before its audio", { chunkBytes: 300_000 }],
  ["odd-chunk", "with a chunk of odd size", { chunkBytes: 7 }],
  ["wrong-riff-size", "whose RIFF size is wrong", { saidRiffBytes: 7 }],
  ["not-riff", "in name only", Buffer.alloc(200, "MP3 "), "WAV_NOT_RIFF"],
  ["tag", "behind an ID3 tag", tagged(makeWav()), "WAV_TAG_IN_FRONT"],
  ["rf64", "in RF64", { container: "RF64" }, "WAV_RF64"],
  ["rifx", "in RIFX", { container: "RIFX" }, "WAV_RIFX"],
  ["mp3-inside", "with MP3 inside", { format: 0x55 }, "WAV_COMPRESSED"],
  ["float64", "of 64-bit float", { format: 3, bits: 64 }, "WAV_FLOAT_UNSUPPORTED"],
  ["20-bit", "of 20 bits", { bits: 20 }, "WAV_BITS_UNSUPPORTED"],
  ["surround", "of 6 channels", { channels: 6 }, "WAV_CHANNELS_UNSUPPORTED"],
  ["rate-none", "at 0 Hz", { rateHz: 0 }, "WAV_RATE_UNSUPPORTED"],
  ["384-khz", "at 384 kHz", { rateHz: 384_000 }, "WAV_RATE_UNSUPPORTED"],
  ["block-align", "whose frame size is wrong", { blockAlign: 3 }, "WAV_BLOCK_ALIGN_WRONG"],
  ["format-last", "whose format comes last", { order: ["data", "fmt "] }, "WAV_FORMAT_AFTER_DATA"],
  ["no-data", "without audio", { order: ["fmt "] }, "WAV_NO_DATA"],
  ["no-frames", "with no frame of audio", { frames: 0 }, "WAV_NO_DATA"],
  ["streamed", "without a length in its header", { saidDataBytes: 0xff_ff_ff_ff }, "WAV_STREAMED"],
  ["streamed-zero", "with length 0 and audio after it", { saidDataBytes: 0 }, "WAV_STREAMED"],
  ["wrong-length", "whose length is wrong", { saidDataBytes: 300 }, "WAV_LENGTH_WRONG"],
  ["cut-short", "whose end is missing", makeWav({ frames: 200 }).subarray(0, 300), "WAV_CUT_SHORT"],
];

/** Puts an empty ID3 tag of 20 bytes in front. */
function tagged(wav: Buffer): Buffer {
  return Buffer.concat([Buffer.from("ID3\x04\0\0\0\0\0\x0a"), Buffer.alloc(10), wav]);
}

const CASES = TABLE.map(([id, words, wav, code]) => {
  const bytes = Buffer.isBuffer(wav) ? wav : makeWav(wav);
  return { id, words, code, sound: { file: `${id}.wav`, bytes } };
});

/** Checks of the WAV files that a relay accepts and refuses; all are announced as one package. */
export const WAV_CHECKS: readonly Check[] = CASES.map(({ id, words, code, sound }) => ({
  id: `wav-${id}`,
  rule: "U4",
  title: code === undefined ? `takes a WAV ${words}` : `refuses a WAV ${words}: ${code}`,
  run: async (kit) => {
    const made = await kit.share("WAV cases", () => kit.uploading(CASES.map((one) => one.sound)));
    const answer = await kit.put(made, sound);
    if (code === undefined) assertStatus(answer, 200);
    else assertRefusal(answer, code);
  },
}));
