import { Buffer } from "node:buffer";
import { describe, expect, test, vi } from "vitest";
import { convert } from "../../../client/audio/convert.ts";
import {
  ascii,
  chunk,
  extensible,
  format,
  join,
  uint32,
  wav,
} from "../../../fixtures/wav-bytes.ts";
import { acidBody, samplerBody } from "../../pages/send/test-sounds.ts";

const audio = Uint8Array.from({ length: 96 }, (_, at) => (at * 37 + 11) % 256);
const plain = chunk("fmt ", format());
/** Every format whose samples are those of a WAV already, as fields of `fmt `. */
const FORMATS = [
  { bits: 8 },
  {},
  { bits: 24, channels: 2 },
  { bits: 32 },
  { tag: 3, bits: 32, channels: 2 },
];
const streamed = "Its header had no length (it was streamed); the length was measured.";
const wrongLength = "Its header had a wrong length; the length was measured.";
const cut = "Its last bytes are missing; the whole frames before them are kept.";
const tagged = "An ID3 tag in front of it was removed.";
const misaligned = "Its header had a wrong frame size (block align); it was corrected.";

/** Repairs a file as an app does; the WAV that it becomes is whole, with its RIFF size. */
async function repaired(file: Uint8Array) {
  const { wav: blob, header, hints, notes } = await convert(new Blob([new Uint8Array(file)]));
  const bytes = Buffer.from(await blob.arrayBuffer());
  expect([bytes.length % 2, bytes.readUInt32LE(4) + 8]).toEqual([0, bytes.length]);
  const end = header.dataOffset + header.dataBytes;
  return {
    header,
    hints,
    audio: new Uint8Array(bytes.subarray(header.dataOffset, end)),
    notes: notes.map(({ message }) => message),
  };
}

/** A file whose header says these sizes. */
function sized(body: Uint8Array, dataBytes: number, riffBytes: number, container = "RIFF") {
  const file = wav([chunk("fmt ", body), chunk("data", audio, dataBytes)], container);
  new DataView(file.buffer).setUint32(4, riffBytes, true);
  return file;
}

function readHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

describe("a wrong length", () => {
  const sizes = [
    0,
    0x7fff_ffff,
    0x7fff_ffff - 36,
    0xffff_ffff,
    2_000_000_000,
    2 ** 30,
    0x7fff_f000,
  ];

  test.each(FORMATS)(
    "[G17] of a streamed WAV is measured, its samples are kept: %o",
    async (fields) => {
      const bodies = [format(fields), extensible({ ...fields, subTag: fields.tag ?? 1 })];
      for (const body of bodies) {
        for (const size of sizes) {
          const {
            header,
            audio: got,
            notes,
          } = await repaired(sized(body, size, (size + 36) % 2 ** 32));
          expect(notes).toEqual([streamed]);
          const { channels = 1, bits = 16 } = fields;
          expect(header).toMatchObject({ channels, bitsPerSample: bits, sampleRateHz: 44_100 });
          expect(got).toEqual(audio);
        }
      }
    },
  );

  test.each([
    ["the RIFF size is 0", 5000, 0, [streamed]],
    ["the RIFF size is a placeholder", 5000, 0xffff_ffff, [streamed]],
    ["the RIFF size is the file's", 5000, 36 + 96, [wrongLength]],
    ["the size is that of the file", 44 + 96, 36 + 96, [wrongLength]],
  ])("[G17] is measured if %s", async (_, data, riff, notes) => {
    expect(await repaired(sized(format(), data, riff))).toMatchObject({ audio, notes });
  });

  test("[G17] is measured in whole frames, without an ID3v1 tag at the end", async () => {
    const tail = join(ascii("TAG"), new Uint8Array(125).fill(65));
    const file = sized(format({ channels: 2, bits: 24 }), 0xffff_ffff, 0xffff_ffff);
    expect((await repaired(join(file, tail))).audio).toEqual(audio);
    expect((await repaired(file.subarray(0, -2))).audio).toEqual(audio.subarray(0, 90));
    await expect(repaired(join(file.subarray(0, 44), tail))).rejects.toThrow("its header has no length");
  });

  test("[G17] of a cut file: up to 16 missing bytes leave its whole frames, more refuse it", async () => {
    const whole = sized(format({ channels: 2, bits: 24 }), 96, 36 + 96);
    for (const missing of [1, 5, 6, 7, 16]) {
      const { audio: got, notes } = await repaired(whole.subarray(0, -missing));
      expect(notes).toEqual([cut]);
      expect(got).toEqual(audio.subarray(0, Math.floor((96 - missing) / 6) * 6));
    }
    await expect(repaired(whole.subarray(0, -17))).rejects.toThrow("the file is incomplete");
  });

  test("[G17] of 0 before another chunk is no stream", async () => {
    const empty = wav([plain, chunk("data", []), chunk("LIST", ascii("INFO"))]);
    await expect(repaired(empty)).rejects.toThrow("contains no audio");
  });
});

describe("tags and containers", () => {
  const whole = wav([plain, chunk("data", audio)]);
  const tag = (body: number) => join(ascii("ID3"), [3, 0, 0, 0, 0, 0, body], new Uint8Array(body));

  test("[G17] ID3 tags in front of a WAV are removed; nothing else changes", async () => {
    for (const front of [tag(24), tag(0), join(tag(5), tag(9))]) {
      const file = new Blob([new Uint8Array(join(front, whole))]);
      const { wav: got, notes } = await convert(file);
      expect(new Uint8Array(await got.arrayBuffer())).toEqual(whole);
      expect(notes).toMatchObject([{ key: "repair.tag", message: tagged }]);
    }
  });

  test("[G17] a tag in front hides neither another repair nor a refusal", async () => {
    const stream = join(tag(24), sized(format(), 0xffff_ffff, 0));
    expect(await repaired(stream)).toMatchObject({ audio, notes: [tagged, streamed] });
    const compressed = wav([chunk("fmt ", format({ tag: 2, bits: 4 })), chunk("data", audio)]);
    await expect(repaired(join(tag(24), compressed))).rejects.toThrow("its codec is MS ADPCM");
  });

  test.each(["RF64", "BW64"])(
    "[G17] %s becomes a plain WAV, with sizes from ds64",
    async (name) => {
      const note = `It was ${name}; now it’s a plain WAV.`;
      const sizes = join(
        uint32(44 + 28 + 96),
        uint32(0),
        uint32(96),
        uint32(0),
        new Uint8Array(12),
      );
      const ds64 = chunk("ds64", sizes);
      const hints = chunk("acid", acidBody(4, 120));
      const long = wav([ds64, plain, chunk("data", audio, 0xffff_ffff), hints], name);
      const { hints: got, ...rest } = await repaired(long);
      expect(rest).toMatchObject({ audio, notes: [note] });
      expect(got.acid).toMatchObject({ beats: 4 });
      // Without a ds64, or one that has no sizes either.
      expect(await repaired(wav([plain, chunk("data", audio)], name))).toMatchObject({ audio });
      const unsized = sized(format(), 0xffff_ffff, 0xffff_ffff, name);
      expect(await repaired(unsized)).toMatchObject({ audio, notes: [note, streamed] });
      const empty = wav([
        chunk("ds64", new Uint8Array(28)),
        plain,
        chunk("data", audio, 0xffff_ffff),
      ]);
      expect(await repaired(empty)).toMatchObject({ audio, notes: [streamed] });
    },
  );

  test("[G17] a big-endian WAV becomes a plain one", async () => {
    const swapped = Buffer.from(wav([plain, chunk("data", audio)], "RIFX"));
    swapped.subarray(4, 8).swap32();
    for (const at of [16, 24, 28, 40]) swapped.subarray(at, at + 4).swap32();
    for (const at of [20, 22, 32, 34]) swapped.subarray(at, at + 2).swap16();
    swapped.subarray(44).swap16();
    const notes = ["It was RIFX; now it’s a plain WAV."];
    expect(await repaired(swapped)).toMatchObject({ audio, notes });
  });
});

describe("samples", () => {
  const made = (body: Uint8Array, samples: Uint8Array) =>
    repaired(wav([chunk("fmt ", body), chunk("data", samples)]));

  test("[G17] of 64-bit float are rounded to 32 bits", async () => {
    const doubles = new Uint8Array(Float64Array.of(1, -1, 0.1, 1e-60).buffer);
    for (const body of [format({ tag: 3, bits: 64 }), extensible({ subTag: 3, bits: 64 })]) {
      const { header, audio: got, notes } = await made(body, doubles);
      expect(header).toMatchObject({ encoding: "float", bitsPerSample: 32, frames: 4 });
      expect([...new Float32Array(got.buffer)]).toEqual([1, -1, Math.fround(0.1), 0]);
      expect(notes).toEqual(["It was 64-bit float; now it’s 32-bit float."]);
    }
  });

  test.each([
    ["mu-law", 7, "00 80 ff 7f 7e 8f", [-32_124, 32_124, 0, 0, -8, 16_764]],
    ["A-law", 6, "2a aa d5 55 54 85", [-32_256, 32_256, 8, -8, -24, 4224]],
  ])("[G17] of %s become 16 bits", async (name, tag, bytes, samples) => {
    const coded = new Uint8Array(Buffer.from(bytes.replaceAll(" ", ""), "hex"));
    for (const body of [format({ tag, bits: 8 }), extensible({ subTag: tag, bits: 8 })]) {
      const { header, audio: got, notes } = await made(body, coded);
      expect(header).toMatchObject({ encoding: "pcm", bitsPerSample: 16, frames: 6 });
      expect([...new Int16Array(got.buffer)]).toEqual(samples);
      expect(notes).toEqual([`It was ${name}; now it’s 16-bit PCM.`]);
    }
  });

  /** Three bytes of each sample in four: padding below or above them. */
  const padded = (top: (sample: number) => number | null): Uint8Array =>
    Uint8Array.from({ length: 128 }, (_, at) => {
      const sample = audio.subarray(((at / 4) | 0) * 3, ((at / 4) | 0) * 3 + 3);
      const padding = top(sample[2] ?? 0);
      return padding === null ? ([0, ...sample][at % 4] ?? 0) : ([...sample, padding][at % 4] ?? 0);
    });
  const unpadded = "Its samples of 24 bits were padded; now it’s a WAV of 24 bits.";

  test.each([
    ["below", () => null, 32, "Its samples of 24 bits were padded; now it’s a WAV of 32 bits."],
    ["above, with its sign", (top: number) => (top < 128 ? 0 : 255), 24, unpadded],
    ["above, with zeros", () => 0, 24, unpadded],
  ])("[G17] of 24 bits in four bytes, padded %s, keep their bits", async (_, top, bits, note) => {
    const samples = padded(top);
    for (const lead of [0, 65_536]) {
      const quiet = join(new Uint8Array(lead), samples);
      for (const make of [format, extensible]) {
        const { header, audio: got, notes } = await made(make({ bits: 24, blockAlign: 4 }), quiet);
        expect(header).toMatchObject({ bitsPerSample: bits, frames: (lead + 128) / 4 });
        expect(got.subarray((lead / 32) * bits)).toEqual(bits === 32 ? samples : audio);
        expect(notes).toEqual([note]);
      }
    }
  });

  test("[G17] of 24 bits in 32 of an EXTENSIBLE format stay as they are", async () => {
    const { header, notes } = await made(extensible({ bits: 32, validBits: 24 }), audio);
    expect([header.dataOffset, notes]).toEqual([68, []]);
  });

  test("[G17] of 20 or 12 bits fill whole bytes", async () => {
    for (const [bits, whole] of [
      [20, 24],
      [12, 16],
    ]) {
      const notes = [`Its samples of ${bits} bits were padded; now it’s a WAV of ${whole} bits.`];
      const got = await made(format({ bits }), audio);
      expect(got).toMatchObject({ audio, notes, header: { bitsPerSample: whole } });
    }
  });

  test.each([
    [{ bits: 16 }, 16],
    [{ bits: 16 }, 4],
    [{ bits: 24 }, 4],
    [{ bits: 24, channels: 2 }, 4],
    [{ bits: 32, tag: 3 }, 0],
  ])(
    "[G17] keep their bytes if the block align is wrong: %o and %i",
    async (fields, blockAlign) => {
      for (const make of [
        format,
        (body: object) => extensible({ ...body, subTag: fields.tag ?? 1 }),
      ]) {
        expect(await made(make({ ...fields, blockAlign }), audio)).toMatchObject({
          audio,
          notes: [misaligned],
          header: { bitsPerSample: fields.bits, channels: fields.channels ?? 1 },
        });
      }
    },
  );

  test("[G17] that can't be repaired are refused as by a relay", async () => {
    const cases: [object, string][] = [
      [{ channels: 6 }, "6 channels. Export it as mono or stereo."],
      [{ sampleRateHz: 384_000, bits: 20 }, "20-bit."],
      [{ tag: 3, bits: 16 }, "16-bit float."],
      [{ tag: 2, bits: 4 }, "its codec is MS ADPCM."],
      [{ bits: 48 }, "48-bit."],
    ];
    for (const [fields, says] of cases) {
      await expect(made(format(fields), audio)).rejects.toThrow(`The sound: ${says}`);
    }
  });
});

describe("the rest of a file", () => {
  const first = wav([plain, chunk("data", audio)]);

  test("[G17] a right WAV is returned as it is, with a note on a second one behind it", async () => {
    const percent = (count: number) => [
      `${count} % of the file isn’t used: a second WAV follows the first.`,
    ];
    const more = chunk("LIST", ascii("INFO"));
    const cases: [Uint8Array, string[]][] = [
      [first, []],
      [join(first, more), []],
      [join(first, first), percent(50)],
      [join(first, first, first), percent(67)],
      [join(first, more, first), percent(48)],
      [join(new Uint8Array(0), wav([plain, chunk("data", audio), chunk("RIFF", [9])])), []],
    ];
    for (const [bytes, notes] of cases) {
      const file = new Blob([new Uint8Array(bytes)]);
      const got = await convert(file);
      expect(got.wav).toBe(file);
      expect([got.header.frames, got.notes.map(({ message }) => message)]).toEqual([48, notes]);
    }
  });

  test("[G17] streamed WAVs in a row end where the second starts", async () => {
    const stream = sized(format(), 0xffff_ffff, 0xffff_ffff);
    const second = "50 % of the file isn’t used: a second WAV follows the first.";
    expect(await repaired(join(stream, stream))).toMatchObject({
      audio,
      notes: [streamed, second],
    });
  });

  test("[G17] other chunks are kept if they are whole, also those that hint at a loop", async () => {
    const odd = Uint8Array.of(1, 2, 3);
    const file = wav([
      chunk("acid", acidBody(8, 90)),
      chunk("fmt ", format({ blockAlign: 7 })),
      chunk("LIST", odd),
      chunk("data", audio.subarray(0, 94)),
      chunk("smpl", samplerBody(2, 40)),
      chunk("cue ", odd),
      chunk("LIST", odd, 9000),
    ]);
    const { hints, header, notes } = await repaired(file);
    expect(notes).toEqual([misaligned]);
    expect(header.frames).toBe(47);
    expect(hints).toMatchObject({ acid: { beats: 8 }, sampler: { startFrame: 2, endFrame: 40 } });
    const { wav: blob } = await convert(new Blob([new Uint8Array(file)]));
    const kept = readHex(new Uint8Array(await blob.arrayBuffer()).subarray(44 + 94));
    const chunks = [chunk("acid", acidBody(8, 90)), chunk("LIST", odd)];
    const behind = [chunk("smpl", samplerBody(2, 40)), chunk("cue ", odd)];
    expect(kept).toBe(readHex(join(...chunks, ...behind)));
  });

  test("[G17] a large file is never whole in memory if only its header is wrong", async () => {
    const piece = new Uint8Array(1_000_000).fill(7);
    const header = sized(format(), 0xffff_ffff, 0).subarray(0, 44);
    const file = new Blob([new Uint8Array(header), ...Array.from({ length: 5 }, () => piece)]);
    const read = vi.spyOn(Blob.prototype, "arrayBuffer");
    const { header: got } = await convert(file);
    const sizes = read.mock.contexts.map((blob) => (blob instanceof Blob ? blob.size : Infinity));
    read.mockRestore();
    expect(got.frames).toBe(2_500_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 20);
  });
});
