import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { repairWav } from "../../../client/audio/repair-wav.ts";
import {
  ascii,
  chunk,
  extensible,
  format,
  type FormatFields,
  join,
  uint32,
  wav,
} from "../../../fixtures/wav-bytes.ts";
import { acidBody } from "../../pages/send/test-sounds.ts";
import { AUDIO as audio, NOTES, repaired, sized } from "./repaired.ts";

const plain = chunk("fmt ", format());
const { streamed, tagged, misaligned } = NOTES;

describe("tags and containers", () => {
  const whole = wav([plain, chunk("data", audio)]);
  const tag = (body: number) => join(ascii("ID3"), [3, 0, 0, 0, 0, 0, body], new Uint8Array(body));

  test("[G17] ID3 tags in front of a WAV are removed; nothing else changes", async () => {
    for (const front of [tag(24), tag(0), join(tag(5), tag(9))]) {
      const file = new Blob([new Uint8Array(join(front, whole))]);
      const { sound: got, notes } = await repairWav(file);
      expect(new Uint8Array(await got.arrayBuffer())).toEqual(whole);
      expect(notes).toMatchObject([{ key: "repair.tag", message: tagged }]);
    }
  });

  test("[G17] a tag in front hides neither another repair nor a refusal", async () => {
    const stream = join(tag(24), sized(0xffff_ffff, 0));
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
      const unsized = sized(0xffff_ffff, 0xffff_ffff, { container: name });
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
    const guid = Buffer.from("000000010000001080000000aa00389b71", "hex");
    const body = Buffer.concat([swapped.subarray(20, 36), Buffer.alloc(8), guid.subarray(0, 16)]);
    body.writeUInt16BE(0xfffe);
    const head = Buffer.concat([swapped.subarray(0, 16), Buffer.from([0, 0, 0, 40]), body]);
    expect(await repaired(Buffer.concat([head, swapped.subarray(36)]))).toMatchObject({ audio });
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
    for (const bits of [20, 12]) {
      const whole = bits + 4;
      const notes = [`Its samples of ${bits} bits were padded; now it’s a WAV of ${whole} bits.`];
      const got = await made(format({ bits }), audio);
      expect(got).toMatchObject({ audio, notes, header: { bitsPerSample: whole } });
    }
  });

  test.each<[FormatFields, number]>([
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
      await expect(made(format(fields), audio)).rejects.toThrow(`kick.wav: ${says}`);
    }
  });
});
