import { expect, test } from "vitest";
import { codecName } from "../../../core/audio/wav-header.ts";

// The tags of Microsoft's mmreg.h and of RFC 2361, with the names that musicians know.
test.each([
  ["MS ADPCM", [0x2]],
  ["A-law", [0x6]],
  ["mu-law", [0x7]],
  ["IMA ADPCM", [0x11]],
  ["TrueSpeech", [0x22]],
  ["GSM 6.10", [0x31]],
  ["G.721 ADPCM", [0x40]],
  ["MPEG", [0x50]],
  ["MP3", [0x55]],
  ["G.726 ADPCM", [0x64]],
  ["AC-3", [0x92, 0x2000]],
  ["AAC", [0xff, 0x1600, 0x1610, 0xa106]],
  ["WMA", [0x160, 0x161]],
  ["WMA Pro", [0x162]],
  ["WMA Lossless", [0x163]],
  ["ATRAC3", [0x270]],
  ["DTS", [0x2001]],
  ["Ogg Vorbis", [0x566f, 0x674f, 0x6750, 0x6751, 0x676f, 0x6770, 0x6771]],
  ["Opus", [0x704f]],
  ["FLAC", [0xf1ac]],
])("[U4] names %s by each of its format tags", (name, tags) => {
  expect(tags.map(codecName)).toEqual(tags.map(() => name));
});

test("[U4] names a codec, or shows its number if unknown", () => {
  expect(codecName(0x55)).toBe("MP3");
  expect(codecName(0x11)).toBe("IMA ADPCM");
  expect(codecName(0)).toBe("0x0000");
  expect(codecName(0xabcd)).toBe("0xABCD");
});
