import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { readLoopHints } from "../../../core/audio/read-loop-hints.ts";
import { ascii, chunk, format, join, uint32, wav } from "../../../fixtures/wav-bytes.ts";
import { acidBody } from "../../pages/send/test-sounds.ts";

const FORMAT = chunk("fmt ", format());

/** Reads the hints of a file with these chunks. */
async function hintsOf(...chunks: readonly Uint8Array[]) {
  const file = Uint8Array.from(wav([FORMAT, ...chunks]));
  return readLoopHints(
    async (offset, length) => file.subarray(offset, offset + length),
    file.length,
  );
}

describe("a chunk of odd size", () => {
  const acid = chunk("acid", acidBody(8, 100));
  const found = { acid: { isOneShot: false, beats: 8, tempoBpm: 100 } };
  const unpadded = (last: number) => join(ascii("data"), uint32(3), [1, 2, last]);

  test("[Y2] hides nothing behind it, with its pad byte and without", async () => {
    expect(await hintsOf(chunk("data", [1, 2, 3]), acid)).toEqual(found);
    expect(await hintsOf(unpadded(3), acid)).toEqual(found);
    expect(await hintsOf(unpadded(3), chunk("note", [0]), unpadded(0), acid)).toEqual(found);
  });

  test("[Y2] is padded where its pad byte is a letter by chance", async () => {
    expect(await hintsOf(join(unpadded(3), ascii("x")), acid)).toEqual(found);
  });
});

describe("a tempo in an ID3 tag", () => {
  const synchsafe = (size: number) => [0, 0, size >> 7, size & 0x7f];
  const frame = (name: string, body: Uint8Array | readonly number[], version = 3) =>
    version === 2
      ? join(ascii(name), [0, 0, body.length], body)
      : join(
          ascii(name),
          version === 4 ? synchsafe(body.length) : [0, 0, body.length >> 8, body.length & 255],
          [0, 0],
          body,
        );
  const tag = (
    version: number,
    frames: readonly Uint8Array[],
    extension: readonly number[] = [],
  ) => {
    const body = join(extension, ...frames);
    const flags = extension.length > 0 ? 0x40 : 0;
    return chunk("id3 ", join(ascii("ID3"), [version, 0, flags], synchsafe(body.length), body));
  };
  const latin = (text: string) => join([0], ascii(text));
  const wide = (text: string) => join([1, 255, 254], Uint8Array.from(Buffer.from(text, "utf16le")));
  const picture = (version: number) => frame("APIC", new Uint8Array(6000), version);

  test.each([
    ["2.2", tag(2, [frame("TT2", latin("Beat"), 2), frame("TBP", latin("174"), 2)])],
    ["2.3", tag(3, [picture(3), frame("TBPM", latin("174"))])],
    [
      "2.3 with an extension",
      tag(3, [frame("TBPM", latin("174"))], [0, 0, 0, 6, 0, 0, 0, 0, 0, 0]),
    ],
    ["2.4", tag(4, [picture(4), frame("TBPM", latin("174\0"), 4)])],
    ["2.4 with an extension", tag(4, [frame("TBPM", latin("174"), 4)], [0, 0, 0, 6, 1, 0])],
    ["UTF-16", tag(3, [frame("TBPM", wide("174"))])],
  ])("[Y2] is read from version %s", async (_, chunk) => {
    expect(await hintsOf(chunk)).toEqual({ tempoBpm: 174 });
  });

  test("[Y2] is read with decimals, and left out where it is none", async () => {
    const tempoOf = async (text: string) => hintsOf(tag(3, [frame("TBPM", latin(text))]));
    expect(await tempoOf("97.5")).toEqual({ tempoBpm: 97.5 });
    expect(await tempoOf("97,5")).toEqual({ tempoBpm: 97.5 });
    for (const text of ["", "0", "fast", "1e9", "-120", "000"]) {
      expect(await tempoOf(text)).toEqual({});
    }
  });

  test("[Y2] a broken tag ends, whatever its sizes say", async () => {
    const whole = tag(3, [picture(3), frame("TBPM", latin("174"))]);
    for (const at of [8, 11, 22, 23]) {
      const broken = whole.slice();
      broken[at] = 255;
      expect(await hintsOf(broken)).toEqual({});
    }
    const zeros = tag(
      3,
      Array.from({ length: 70 }, () => frame("TXXX", latin(""))),
    );
    expect(await hintsOf(zeros, tag(3, [frame("TBPM", latin("120"))]))).toEqual({ tempoBpm: 120 });
  });
});
