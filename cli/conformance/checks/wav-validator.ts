import type { RefusalCode } from "../../../core/protocol/refusals.ts";
import { assertRefusal, assertStatus } from "../assert.ts";
import type { Check } from "../check.ts";
import { makeWav } from "../sounds.ts";

interface WavCase {
  readonly id: string;
  /** Ends "… a WAV". */
  readonly words: string;
  readonly bytes: Buffer;
  /** The refusal; undefined if the relay accepts the file. */
  readonly code?: RefusalCode;
}

const CASES: readonly WavCase[] = [
  { id: "8-bit", words: "of 8 bits", bytes: makeWav({ bits: 8 }) },
  { id: "24-bit-stereo", words: "of 24 bits in stereo", bytes: makeWav({ bits: 24, channels: 2 }) },
  { id: "32-bit", words: "of 32 bits", bytes: makeWav({ bits: 32 }) },
  { id: "float", words: "of 32-bit float", bytes: makeWav({ format: 3, bits: 32 }) },
  {
    id: "extensible",
    words: "written as EXTENSIBLE",
    bytes: makeWav({ isExtensible: true, bits: 24 }),
  },
  { id: "192-khz", words: "at 192 kHz", bytes: makeWav({ rateHz: 192_000 }) },
  {
    id: "big-chunk",
    words: "with 300 kB before its audio",
    bytes: makeWav({ chunkBytes: 300_000 }),
  },
  { id: "odd-chunk", words: "with a chunk of odd size", bytes: makeWav({ chunkBytes: 7 }) },
  {
    id: "wrong-riff-size",
    words: "whose RIFF size is wrong",
    bytes: makeWav({ saidRiffBytes: 7 }),
  },
  { id: "not-riff", words: "in name only", bytes: Buffer.alloc(200, "MP3 "), code: "WAV_NOT_RIFF" },
  { id: "rf64", words: "in RF64", bytes: makeWav({ container: "RF64" }), code: "WAV_RF64" },
  { id: "rifx", words: "in RIFX", bytes: makeWav({ container: "RIFX" }), code: "WAV_RIFX" },
  {
    id: "mp3-inside",
    words: "with MP3 inside",
    bytes: makeWav({ format: 0x55 }),
    code: "WAV_COMPRESSED",
  },
  {
    id: "float64",
    words: "of 64-bit float",
    bytes: makeWav({ format: 3, bits: 64 }),
    code: "WAV_FLOAT_UNSUPPORTED",
  },
  { id: "20-bit", words: "of 20 bits", bytes: makeWav({ bits: 20 }), code: "WAV_BITS_UNSUPPORTED" },
  {
    id: "surround",
    words: "of 6 channels",
    bytes: makeWav({ channels: 6 }),
    code: "WAV_CHANNELS_UNSUPPORTED",
  },
  {
    id: "rate-none",
    words: "at 0 Hz",
    bytes: makeWav({ rateHz: 0 }),
    code: "WAV_RATE_UNSUPPORTED",
  },
  {
    id: "384-khz",
    words: "at 384 kHz",
    bytes: makeWav({ rateHz: 384_000 }),
    code: "WAV_RATE_UNSUPPORTED",
  },
  {
    id: "block-align",
    words: "whose frame size is wrong",
    bytes: makeWav({ blockAlign: 3 }),
    code: "WAV_BLOCK_ALIGN_WRONG",
  },
  {
    id: "format-last",
    words: "whose format comes last",
    bytes: makeWav({ order: ["data", "fmt "] }),
    code: "WAV_FORMAT_AFTER_DATA",
  },
  {
    id: "no-data",
    words: "without audio",
    bytes: makeWav({ order: ["fmt "] }),
    code: "WAV_NO_DATA",
  },
  {
    id: "no-frames",
    words: "with no frame of audio",
    bytes: makeWav({ frames: 0 }),
    code: "WAV_NO_DATA",
  },
  {
    id: "streamed",
    words: "without a length in its header",
    bytes: makeWav({ saidDataBytes: 0xff_ff_ff_ff }),
    code: "WAV_STREAMED",
  },
  {
    id: "streamed-zero",
    words: "with length 0 and audio after it",
    bytes: makeWav({ saidDataBytes: 0 }),
    code: "WAV_STREAMED",
  },
  {
    id: "cut-short",
    words: "whose end is missing",
    bytes: makeWav({ saidDataBytes: 300 }),
    code: "WAV_CUT_SHORT",
  },
];

/** Checks of the WAV files that a relay accepts and refuses; all are announced as one package. */
export const WAV_CHECKS: readonly Check[] = CASES.map(({ id, words, bytes, code }) => ({
  id: `wav-${id}`,
  rule: "U4",
  title: code === undefined ? `takes a WAV ${words}` : `refuses a WAV ${words}: ${code}`,
  run: async (kit) => {
    const made = await kit.share("WAV cases", () =>
      kit.uploading(CASES.map((one) => ({ file: `${one.id}.wav`, bytes: one.bytes }))),
    );
    const answer = await kit.put(made, { file: `${id}.wav`, bytes });
    if (code === undefined) assertStatus(answer, 200);
    else assertRefusal(answer, code);
  },
}));
