import { codecName } from "../../../core/audio/wav-chunks.ts";
import { ascii, chunk, format, join, wav } from "../../../fixtures/wav-bytes.ts";
import { accepted, refusedCode } from "./judge.ts";
import { describe, expect, test } from "vitest";

const plain = chunk("fmt ", format());
const data = chunk("data", new Uint8Array(48));

describe("irrelevant chunks", () => {
  test("[U4] skips the pad byte of an odd chunk", async () => {
    for (const bytes of [1, 3, 9, 4097]) {
      const odd = chunk("LIST", new Uint8Array(bytes));
      const header = await accepted(wav([odd, plain, odd, data]));
      expect(header.dataOffset).toBe(12 + 24 + 2 * odd.length + 8);
    }
  });

  test("[U4] skips chunks with non-text names", async () => {
    const strange = [chunk("\0\0\0\0", [1]), chunk("\u00ff\u00fe  ", []), chunk("FMT ", [2, 3])];
    expect(await accepted(wav([...strange, plain, ...strange, data]))).toMatchObject({
      frames: 24,
    });
  });

  test("[U4] skips forged cue, smpl and LIST chunks", async () => {
    const forged = ["cue ", "smpl", "LIST", "bext", "fact"].map((id) =>
      chunk(id, new Uint8Array(60).fill(0xff)),
    );
    expect(await accepted(wav([...forged, plain, ...forged, data]))).toMatchObject({ frames: 24 });
  });

  test("[U4] doesn't search for names inside a chunk", async () => {
    const decoy = chunk("JUNK", join(chunk("fmt ", format({ channels: 6 })), chunk("data", [])));
    expect(await accepted(wav([decoy, plain, decoy, data]))).toMatchObject({ channels: 1 });
  });
});

describe("duplicate chunks", () => {
  test("[U4] uses the first format", async () => {
    const second = chunk("fmt ", format({ tag: 0x55, channels: 2, sampleRateHz: 8000 }));
    const header = await accepted(wav([plain, second, data]));
    expect(header).toMatchObject({ channels: 1, sampleRateHz: 44_100 });
    expect(await refusedCode(wav([second, plain, data]))).toBe("WAV_COMPRESSED");
  });

  test("[U4] uses the first audio", async () => {
    const header = await accepted(wav([plain, data, chunk("data", new Uint8Array(4))]));
    expect(header.dataBytes).toBe(48);
  });
});

describe("hostile chunks", () => {
  test("[U4] a LIST past the end of the file hides format and audio", async () => {
    for (const claimed of [0x1000_0000, 0xffff_fffe, 0xffff_ffff]) {
      const endless = chunk("LIST", ascii("INFO"), claimed);
      expect(await refusedCode(wav([endless, plain, data]))).toBe("WAV_NO_FORMAT");
      expect(await refusedCode(wav([plain, endless, data]))).toBe("WAV_NO_DATA");
    }
  });

  test("[U4] a format chunk with a forged size hides the audio", async () => {
    const file = wav([chunk("fmt ", format(), 0xffff_ffff), data]);
    expect(await refusedCode(file)).toBe("WAV_NO_DATA");
  });
});

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
