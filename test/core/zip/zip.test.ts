import { crc32 as otherCrc32 } from "node:zlib";
import * as fc from "fast-check";
import { unzipSync } from "fflate";
import { expect, test } from "vitest";
import { crc32 } from "../../../core/zip/crc32.ts";
import { formatZip, planZip } from "../../../core/zip/plan-zip.ts";
import { ZipTooLargeError } from "../../../core/zip/zip-format.ts";

const BYTES = fc.uint8Array({ maxLength: 300 });

test("[D8] the checksum of any bytes is another library's, also piece by piece", () => {
  fc.assert(
    fc.property(BYTES, fc.nat(300), (bytes, at) => {
      expect(crc32(bytes)).toBe(otherCrc32(bytes));
      expect(crc32(bytes.subarray(at), crc32(bytes.subarray(0, at)))).toBe(otherCrc32(bytes));
    }),
  );
});

test("[D8] another program unzips what is composed of headers, files and end", () => {
  const names = fc.uniqueArray(fc.constantFrom("a", "audio/Grüße.wav", "你好 🎛.xml", "empty"));
  fc.assert(
    fc.property(names, BYTES, (chosen, bytes) => {
      const files = new Map(chosen.map((name, at) => [name, bytes.subarray(at * 20)]));
      const plan = planZip(
        [...files].map(([name, of]) => ({ name, crc32: otherCrc32(of), sizeBytes: of.length })),
      );
      const bodies = [...files.values()];
      const pieces = plan.headers.flatMap((header, at) => [header, bodies[at] ?? []]);
      const composed = Buffer.concat([...pieces, plan.end].map((piece) => Buffer.from(piece)));
      expect(composed).toHaveLength(plan.sizeBytes);
      expect(Buffer.from(formatZip(files))).toEqual(composed);
      const unzipped = Object.entries(unzipSync(composed));
      expect(unzipped.map(([name, of]) => [name, Buffer.from(of)])).toEqual(
        [...files].map(([name, of]) => [name, Buffer.from(of)]),
      );
    }),
  );
});

test("[D8] refuses more than 4 GiB, or more files than a ZIP can count", () => {
  const file = { name: "a", crc32: 0, sizeBytes: 0x8000_0000 };
  expect(planZip([{ ...file, sizeBytes: 0xffff_ffff - 31 - 47 - 22 }]).sizeBytes).toBe(0xffff_ffff);
  for (const sizeBytes of [0xffff_ffff - 31 - 47 - 21, 0xffff_ffff]) {
    expect(() => planZip([{ ...file, sizeBytes }])).toThrow(
      new ZipTooLargeError("A ZIP can't be larger than 4 GiB."),
    );
  }
  const many = Array.from({ length: 65_536 }, () => ({ ...file, sizeBytes: 0 }));
  expect(() => planZip(many)).toThrow(
    new ZipTooLargeError("A ZIP can't hold more than 65535 files."),
  );
});
