import { describe, expect, test } from "vitest";
import { MAX_ERROR_UNITS } from "../../../core/limits.ts";
import { Refusal } from "../../../core/protocol/refusal.ts";
import { ascii, chunk, extensible, format, join, wav } from "../../../fixtures/wav-bytes.ts";
import { REFUSED_WAVS } from "../../../fixtures/refused-wavs.ts";
import { judgeWav } from "../../../scripts/corpus/judge-wav.ts";
import { WavHeaderReader } from "../../../core/audio/wav-header-reader.ts";
import { accepted, refusedCode } from "./judge.ts";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { REFUSALS } from "../../../core/protocol/refusals.ts";

const data = chunk("data", new Uint8Array(48));
const plain = chunk("fmt ", format());

function withFormat(body: Uint8Array): Uint8Array {
  return wav([chunk("fmt ", body), data]);
}

function withSize(claimed: number, behind: Uint8Array): Promise<string> {
  return refusedCode(join(wav([plain, chunk("data", [], claimed)]), behind));
}

describe("sentences", () => {
  for (const { file, code, error, bytes } of REFUSED_WAVS) {
    test(`[U4] refuses ${file} with “${error}”`, async () => {
      expect(await judgeWav(bytes, file)).toMatchObject({ code, message: error, status: 422 });
    });

    test(`[U4][E1] ${file} with a name of 100 characters still says what to do`, async () => {
      const judgment = await judgeWav(bytes, `${"long ".repeat(19)}.wav`);
      const message = judgment instanceof Refusal ? judgment.message : "";
      expect(message.length).toBeLessThanOrEqual(MAX_ERROR_UNITS);
      expect(message.endsWith(error.slice(file.length))).toBe(true);
    });
  }
});

describe("the first of several problems", () => {
  const worst = { tag: 2, channels: 6, sampleRateHz: 0, bits: 20, blockAlign: 1 };

  test("[U4] is the codec before channels, bits, rate and block align", async () => {
    expect(await refusedCode(withFormat(format(worst)))).toBe("WAV_COMPRESSED");
    const pcm = { ...worst, tag: 1 };
    expect(await refusedCode(withFormat(format(pcm)))).toBe("WAV_CHANNELS_UNSUPPORTED");
    const stereo = { ...pcm, channels: 2 };
    expect(await refusedCode(withFormat(format(stereo)))).toBe("WAV_BITS_UNSUPPORTED");
    const deep = { ...stereo, bits: 24 };
    expect(await refusedCode(withFormat(format(deep)))).toBe("WAV_RATE_UNSUPPORTED");
    const timed = { ...deep, sampleRateHz: 48_000 };
    expect(await refusedCode(withFormat(format(timed)))).toBe("WAV_BLOCK_ALIGN_WRONG");
    expect((await accepted(withFormat(format({ ...timed, blockAlign: 6 })))).channels).toBe(2);
  });

  test("[U4] is the format before the audio", async () => {
    const file = wav([chunk("fmt ", format({ channels: 6 })), chunk("data", [], 0xffff_ffff)]);
    expect(await refusedCode(file)).toBe("WAV_CHANNELS_UNSUPPORTED");
  });
});

describe("formats", () => {
  test("[U4] refuses float other than 32-bit", async () => {
    for (const bits of [8, 16, 24, 64]) {
      const code = await refusedCode(withFormat(format({ tag: 3, bits })));
      expect(code).toBe("WAV_FLOAT_UNSUPPORTED");
    }
  });

  test("[U4] refuses PCM of 0, 4, 12, 20, 48 or 64 bits", async () => {
    for (const bits of [0, 4, 12, 20, 48, 64, 65_535]) {
      const code = await refusedCode(withFormat(format({ bits, blockAlign: 2 })));
      expect(code).toBe("WAV_BITS_UNSUPPORTED");
    }
  });

  test("[U4] refuses 0 channels and more than 2", async () => {
    for (const channels of [0, 3, 6, 20, 65_535]) {
      const code = await refusedCode(withFormat(format({ channels, blockAlign: 2 })));
      expect(code).toBe("WAV_CHANNELS_UNSUPPORTED");
    }
  });

  test("[U4] refuses sample rates outside 1 to 192000 Hz", async () => {
    for (const sampleRateHz of [0, 192_001, 384_000, 0xffff_ffff]) {
      const code = await refusedCode(withFormat(format({ sampleRateHz })));
      expect(code).toBe("WAV_RATE_UNSUPPORTED");
    }
  });

  test("[U4] refuses EXTENSIBLE of another codec or family", async () => {
    const ambisonic = [0, 0, 0x21, 7, 0xd3, 0x11, 0x86, 0x44, 0xc8, 0xc1, 0xca, 0, 0, 0];
    const broken = [extensible({ subTag: 0x55 }), extensible({ guidTail: ambisonic })];
    for (const body of broken) expect(await refusedCode(withFormat(body))).toBe("WAV_COMPRESSED");
  });

  test("[U4] refuses a format chunk under 16 bytes, and EXTENSIBLE under 40", async () => {
    for (const bytes of [0, 1, 14, 15]) {
      const code = await refusedCode(withFormat(format().subarray(0, bytes)));
      expect(code).toBe("WAV_FORMAT_BROKEN");
    }
    for (const bytes of [16, 18, 39]) {
      const code = await refusedCode(withFormat(extensible().subarray(0, bytes)));
      expect(code).toBe("WAV_FORMAT_BROKEN");
    }
  });
});

describe("positions", () => {
  test("[U4] refuses audio before its format once it reaches the format", async () => {
    expect(await refusedCode(wav([data, plain]))).toBe("WAV_FORMAT_AFTER_DATA");
    expect(await refusedCode(wav([data, chunk("fmt ", [])]))).toBe("WAV_FORMAT_AFTER_DATA");
    expect(await refusedCode(wav([data, plain, data]))).toBe("WAV_FORMAT_AFTER_DATA");
    expect(await refusedCode(wav([data, chunk("LIST", ascii("INFO"))]))).toBe("WAV_NO_FORMAT");
  });

  test("[U4] refuses a WAV that ends anywhere before its audio does", async () => {
    const whole = wav([plain, chunk("LIST", ascii("INFO")), data]);
    const codes = await Promise.all(
      Array.from({ length: whole.length }, (_, bytes) => refusedCode(whole.subarray(0, bytes))),
    );
    const expected = codes.map((_, bytes) => {
      if (bytes < 12) return "WAV_NOT_RIFF";
      if (bytes < 20) return "WAV_NO_FORMAT";
      if (bytes < 36) return "WAV_FORMAT_BROKEN";
      return bytes < 56 ? "WAV_NO_DATA" : "WAV_CUT_SHORT";
    });
    expect(codes).toEqual(expected);
  });

  test("[U4] refuses other kinds of RIFF file and other containers", async () => {
    expect(await refusedCode(wav([plain, data], "RIFF", "AVI "))).toBe("WAV_NOT_RIFF");
    expect(await refusedCode(wav([plain, data], "riff"))).toBe("WAV_NOT_RIFF");
    expect(await refusedCode(wav([plain, data], "FORM", "AIFF"))).toBe("WAV_NOT_RIFF");
    expect(await refusedCode(wav([plain, data], "RF64", "JUNK"))).toBe("WAV_NOT_RIFF");
    expect(await refusedCode(join(ascii("ID3"), wav([plain, data])))).toBe("WAV_NOT_RIFF");
  });

  test("[U4] names an ID3 tag in front of any WAV, with or without a footer, and several", async () => {
    const tag = (flags: number, body: number) =>
      join(ascii("ID3"), [4, 0, flags, 0, 0, body >> 7, body & 127], new Uint8Array(body));
    const footed = join(tag(0x10, 300), ascii("3DI"), [4, 0, 0x10, 0, 0, 2, 44]);
    const file = wav([plain, data]);
    for (const front of [tag(0, 2), tag(0, 300), footed, join(tag(0, 5), tag(0, 6))]) {
      expect(await refusedCode(join(front, file))).toBe("WAV_TAG_IN_FRONT");
      expect(await refusedCode(join(front, wav([plain, data], "RF64")))).toBe("WAV_TAG_IN_FRONT");
      expect(await refusedCode(join(front, ascii("fLaC"), new Uint8Array(40)))).toBe(
        "WAV_NOT_RIFF",
      );
      expect(await refusedCode(front)).toBe("WAV_NOT_RIFF");
    }
  });
});

describe("sizes of the audio", () => {
  const audio = new Uint8Array(48).fill(0xd3);

  /** The code for 48 bytes of a longer file. Its RIFF size is that of the whole file by default. */
  function cutTo(claimed: number, riffBytes = 36 + claimed): Promise<string> {
    const file = wav([plain, chunk("data", audio, claimed)]);
    new DataView(file.buffer).setUint32(4, riffBytes, true);
    return refusedCode(file);
  }

  test("[U4] recognizes the placeholder size of a stream", async () => {
    const likes = [0x7fff_f000, 0x7fff_ffdb, 0x7fff_ffff, 0x8000_0000, 0xffff_ffdb, 0xffff_ffff];
    for (const claimed of likes) {
      expect(await withSize(claimed, audio)).toBe("WAV_STREAMED");
      expect(await withSize(claimed, new Uint8Array(0))).toBe("WAV_STREAMED");
    }
  });

  test("[U4] treats 0x7FFF0000 and above as a placeholder, and round sizes above 200 MB", async () => {
    const round = [250_000_000, 2_000_000_000, 2 ** 30, 2 ** 30 - 44, 2 ** 28 + 36];
    for (const size of [0x7fff_0000, 0x7fff_0001, ...round]) {
      expect(await cutTo(size)).toBe("WAV_STREAMED");
    }
    const cut = [0x7ffe_0001, 200_000_000, 250_000_001, 2 ** 30 - 4133, 2 ** 27];
    for (const size of cut) expect(await cutTo(size)).toBe("WAV_CUT_SHORT");
  });

  test("[U4] treats a RIFF size of 0 or 0x7FFF0000 and above as a placeholder, too", async () => {
    for (const riff of [0, 0x7fff_0000, 0xffff_ffff]) {
      expect(await cutTo(100_000, riff)).toBe("WAV_STREAMED");
    }
    expect(await cutTo(100_000, 0x7ffe_ffff)).toBe("WAV_CUT_SHORT");
  });

  test("[U4] accepts audio up to the file's last byte, even with a placeholder's size", () => {
    const header = wav([plain, chunk("data", [], 0x7fff_0000)]);
    const judge = (behindBytes: number) =>
      new WavHeaderReader(header.length + behindBytes, "kick.wav").push(header);
    expect(judge(0x7fff_0000)).toMatchObject({ dataOffset: 44, frames: 0x7fff_0000 / 2 });
    expect(() => judge(0x7fff_0000 - 1)).toThrow(
      "kick.wav: its header has no length: it was streamed.",
    );
  });

  test("[U4] calls a file incomplete only if its RIFF header doesn't say that it is whole", async () => {
    for (const claimed of [49, 50, 100_000, 0x7ffe_0001]) {
      expect(await cutTo(claimed)).toBe("WAV_CUT_SHORT");
      expect(await cutTo(claimed, 36 + audio.length + 1)).toBe("WAV_CUT_SHORT");
      expect(await cutTo(claimed, 36 + audio.length)).toBe("WAV_LENGTH_WRONG");
    }
  });

  test("[U4] treats size 0 followed by bytes as a stream, unless they are a chunk", async () => {
    const silence = new Uint8Array(48);
    const quiet = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 1, 0);
    const cut = chunk("LIST", ascii("INFO"), 5000);
    for (const behind of [audio, silence, quiet, Uint8Array.of(1), cut]) {
      expect(await withSize(0, behind)).toBe("WAV_STREAMED");
    }
    for (const behind of [new Uint8Array(0), chunk("LIST", ascii("INFO")), chunk("id3 ", [])]) {
      expect(await withSize(0, behind)).toBe("WAV_NO_DATA");
    }
  });

  test("[U4] refuses less than one frame", async () => {
    const stereo24 = chunk("fmt ", format({ channels: 2, bits: 24 }));
    for (const bytes of [1, 2, 5]) {
      const file = wav([stereo24, chunk("data", new Uint8Array(bytes))]);
      expect(await refusedCode(file)).toBe("WAV_NO_DATA");
    }
  });
});

const folder = path.join(import.meta.dirname, "../../../fixtures/refused/wav");

async function readCases(): Promise<{ file: string; code: string; error: string }[]> {
  const cases: unknown = JSON.parse(await readFile(path.join(folder, "cases.json"), "utf8"));
  if (!Array.isArray(cases)) throw new Error("cases.json must be a list");
  return cases;
}

test("[U4] every WAV refusal has a case", async () => {
  const codes = new Set((await readCases()).map((entry) => entry.code));
  const expected = Object.keys(REFUSALS).filter((code) => code.startsWith("WAV_"));
  expect([...codes].sort()).toEqual(expected.sort());
});

test("[U4] docs/use/wav.md has the cause of every WAV refusal", async () => {
  const page = await readFile(path.join(import.meta.dirname, "../../../docs/use/wav.md"), "utf8");
  const explained = [...page.matchAll(/^\| `(WAV_\w+)` \| \S.* \|$/gm)].map(([, code]) => code);
  const codes = Object.keys(REFUSALS).filter((code) => code.startsWith("WAV_"));
  expect(explained).toEqual(codes);
});

test("the refused WAVs match the output of their script", async () => {
  const cases = REFUSED_WAVS.map(({ file, code, error }) => ({ file, code, error }));
  expect(await readCases()).toEqual(cases);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".wav"));
  expect(files.sort()).toEqual(REFUSED_WAVS.map(({ file }) => file).sort());
  for (const { file, bytes } of REFUSED_WAVS) {
    expect(bytes, file).toEqual(new Uint8Array(await readFile(path.join(folder, file))));
  }
});
