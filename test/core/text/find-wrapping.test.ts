import { gzipSync, deflateSync, zstdCompressSync } from "node:zlib";
import { describe, test } from "vitest";
import { wrappingOfJson, wrappingOfWav } from "../../../core/text/find-wrapping.ts";
import { manifestOf } from "../../manifest-of.ts";
import { smallWav } from "../../wav-bytes.ts";
import { formOf, wide } from "../../wrapped-bytes.ts";

const WAV = Buffer.from(smallWav());
const MANIFEST = JSON.stringify(manifestOf(["a.wav"]));
const PRETTY = JSON.stringify(manifestOf(["a.wav"]), null, 2);

function bytesOf(start: string | Uint8Array): Uint8Array {
  return typeof start === "string" ? Buffer.from(start, "latin1") : start;
}

describe("[U11] a WAV", () => {
  test.for<[string | undefined, string | Uint8Array]>([
    ["form", formOf(WAV)],
    ["form", `\r\n${formOf(WAV).toString("latin1")}`],
    ["gzip", gzipSync(WAV)],
    ["zstd", zstdCompressSync(WAV)],
    ["deflate", deflateSync(WAV)],
    ["zip", "PK\u0003\u0004\u0014"],
    ["Base64", WAV.toString("base64")],
    ["Base64", JSON.stringify(WAV.toString("base64"))],
    ["Base64", `data:audio/wav;base64,${WAV.toString("base64")}`],
    ["hex", WAV.toString("hex")],
    ["JSON", JSON.stringify(WAV)],
    ["JSON", JSON.stringify([...WAV])],
    ["JSON", JSON.stringify(Object.fromEntries(WAV.entries()))],
    ["[object]", "[object Blob]"],
    ["UTF-8 BOM", Buffer.concat([Buffer.from("\uFEFF"), WAV])],
    ["UTF-16", wide(WAV.toString("latin1"), { bytes: 2, hasMark: true })],
    ["UTF-16", wide(WAV.toString("latin1"), { bytes: 2 })],
    ["UTF-16", wide(WAV.toString("latin1"), { bytes: 2, isBig: true })],
    ["UTF-32", wide(WAV.toString("latin1"), { bytes: 4 })],
    ["UTF-32", wide(WAV.toString("latin1"), { bytes: 4, isBig: true, hasMark: true })],
    [undefined, WAV],
    [undefined, WAV.subarray(44)],
    [undefined, ""],
    [undefined, "-- a text that only begins like a form\r\nwith no header"],
    [undefined, "OggS"],
    [undefined, "ID3"],
  ])("is %s by its first bytes", ([wrapping, bytes], { expect }) => {
    expect(wrappingOfWav(bytesOf(bytes))).toBe(wrapping);
  });
});

describe("[M11] JSON", () => {
  test.for<[string | undefined, string | Uint8Array]>([
    ["form", formOf(Buffer.from(MANIFEST))],
    ["form", `manifest=${encodeURIComponent(MANIFEST)}`],
    ["form", encodeURIComponent(MANIFEST)],
    ["gzip", gzipSync(MANIFEST)],
    ["zstd", zstdCompressSync(MANIFEST)],
    ["deflate", deflateSync(MANIFEST)],
    ["Base64", Buffer.from(MANIFEST).toString("base64")],
    ["Base64", Buffer.from(PRETTY).toString("base64")],
    ["Base64", `data:application/json;base64,${Buffer.from(MANIFEST).toString("base64")}`],
    ["[object]", "[object Object]"],
    ...[true, false].flatMap((isBig): [string, Uint8Array][] =>
      [true, false].flatMap((hasMark): [string, Uint8Array][] => [
        ["UTF-16", wide(MANIFEST, { bytes: 2, isBig, hasMark })],
        ["UTF-32", wide(PRETTY, { bytes: 4, isBig, hasMark })],
      ]),
    ),
    [undefined, MANIFEST],
    [undefined, PRETTY],
    [undefined, Buffer.from(`\uFEFF${MANIFEST}`)],
    [undefined, ' \r\n\t["=", 1]'],
    [undefined, "-1"],
    [undefined, "{"],
    [undefined, ""],
  ])("is %s by its first bytes", ([wrapping, bytes], { expect }) => {
    expect(wrappingOfJson(bytesOf(bytes))).toBe(wrapping);
  });
});
