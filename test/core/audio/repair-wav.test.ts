import { describe, expect, test, vi } from "vitest";
import { repairWav } from "../../../client/audio/repair-wav.ts";
import { ascii, chunk, extensible, format, join, wav } from "../../../fixtures/wav-bytes.ts";
import { acidBody, samplerBody } from "../../pages/send/test-sounds.ts";
import { AUDIO as audio, NOTES, repaired, sized } from "./repaired.ts";

const plain = chunk("fmt ", format());
const { streamed, wrongLength, cut, misaligned } = NOTES;
const stereo24 = format({ channels: 2, bits: 24 });
/** Every format whose samples are those of a WAV already, as fields of `fmt `. */
const FORMATS = [
  { bits: 8 },
  {},
  { bits: 24, channels: 2 },
  { bits: 32 },
  { tag: 3, bits: 32, channels: 2 },
];
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
          } = await repaired(sized(size, (size + 36) % 2 ** 32, { body }));
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
    expect(await repaired(sized(data, riff))).toMatchObject({ audio, notes });
  });

  test("[G17] is measured in whole frames, without an ID3v1 tag at the end", async () => {
    const tail = join(ascii("TAG"), new Uint8Array(125).fill(65));
    const file = sized(0xffff_ffff, 0xffff_ffff, { body: stereo24 });
    expect((await repaired(join(file, tail))).audio).toEqual(audio);
    expect((await repaired(file.subarray(0, -2))).audio).toEqual(audio.subarray(0, 90));
    await expect(repaired(join(file.subarray(0, 44), tail))).rejects.toThrow(
      "its header has no length",
    );
  });

  test("[G17] is measured without the chunks behind the audio, which are kept", async () => {
    const behind = join(chunk("smpl", samplerBody(2, 40)), chunk("LIST", Uint8Array.of(1, 2, 3)));
    for (const file of [
      join(sized(0xffff_ffff, 0), behind),
      join(sized(0, 36), behind.slice(0, -1)),
    ]) {
      const got = await repaired(file);
      expect(got).toMatchObject({ audio, notes: [streamed] });
      expect(got.hints.sampler).toEqual({ startFrame: 2, endFrame: 40 });
      expect(got.bytes.subarray(44 + 96)).toEqual(behind);
    }
  });

  test("[G17] of a cut file: up to 16 missing bytes leave its whole frames, more refuse it", async () => {
    const whole = sized(96, 36 + 96, { body: stereo24 });
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
      const got = await repairWav(file);
      expect(got.sound).toBe(file);
      expect(got.notes.map(({ message }) => message)).toEqual(notes);
    }
  });

  test("[G17] streamed WAVs in a row end where the second starts", async () => {
    const stream = sized(0xffff_ffff, 0xffff_ffff);
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
    const { hints, header, notes, bytes } = await repaired(file);
    expect(notes).toEqual([misaligned]);
    expect(header.frames).toBe(47);
    expect(hints).toMatchObject({ acid: { beats: 8 }, sampler: { startFrame: 2, endFrame: 40 } });
    const chunks = [chunk("acid", acidBody(8, 90)), chunk("LIST", odd)];
    const behind = [chunk("smpl", samplerBody(2, 40)), chunk("cue ", odd)];
    expect(bytes.subarray(44 + 94)).toEqual(join(...chunks, ...behind));
  });

  test("[G17] a large file is never whole in memory if only its header is wrong", async () => {
    const piece = new Uint8Array(1_000_000).fill(7);
    const header = sized(0xffff_ffff, 0).subarray(0, 44);
    const file = new Blob([new Uint8Array(header), ...Array.from({ length: 5 }, () => piece)]);
    const read = vi.spyOn(Blob.prototype, "arrayBuffer");
    const { sound } = await repairWav(file);
    const sizes = read.mock.contexts.map((blob) => (blob instanceof Blob ? blob.size : Infinity));
    read.mockRestore();
    expect(sound.size).toBe(5_000_044);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(2 ** 20);
  });
});
