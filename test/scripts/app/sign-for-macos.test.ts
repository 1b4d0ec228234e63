import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signForMacos } from "../../../scripts/app/sign-for-macos.ts";
import { unsignForWindows } from "../../../scripts/app/unsign-for-windows.ts";
import { isIntact } from "../../../scripts/app/node-package.ts";

const [SEGMENT_BYTES, SECTION_BYTES] = [72, 80];
const TEXT_BYTES = 8192;

interface Shape {
  /** Bytes after the last segment. */
  readonly behind?: number;
  /** Offset of the first section. */
  readonly section?: number;
  readonly linkEditBytes?: number;
}

/** A program of two segments, the first with one section. */
function makeProgram({ behind = 0, section = 4096, linkEditBytes = 100 }: Shape = {}): Buffer {
  const program = Buffer.alloc(TEXT_BYTES + linkEditBytes + behind, 7);
  const commands = SEGMENT_BYTES + SECTION_BYTES + SEGMENT_BYTES;
  program.fill(0, 0, 32 + commands + 16);
  program.writeUInt32LE(0xfeedfacf, 0);
  program.writeUInt32LE(2, 16);
  program.writeUInt32LE(commands, 20);
  const write = (
    at: number,
    name: string,
    offset: number,
    bytes: number,
    sections: number,
  ): void => {
    program.writeUInt32LE(0x19, at);
    program.writeUInt32LE(SEGMENT_BYTES + sections * SECTION_BYTES, at + 4);
    program.write(name, at + 8, "latin1");
    program.writeBigUInt64LE(BigInt(offset), at + 40);
    program.writeBigUInt64LE(BigInt(bytes), at + 48);
    program.writeUInt32LE(sections, at + 64);
  };
  write(32, "__TEXT", 0, TEXT_BYTES, 1);
  program.writeUInt32LE(section, 32 + SEGMENT_BYTES + 48);
  write(32 + SEGMENT_BYTES + SECTION_BYTES, "__LINKEDIT", TEXT_BYTES, linkEditBytes, 0);
  return program;
}

/** Reads a loader's view: the last load command, the segment that must hold the signature, and its parts. */
function readSigned(file: Buffer) {
  const end = 32 + file.readUInt32LE(20);
  const [kind, , at, bytes] = [0, 4, 8, 12].map((offset) => file.readUInt32LE(end - 16 + offset));
  const linkEdit = 32 + SEGMENT_BYTES + SECTION_BYTES;
  const signature = file.subarray(at);
  const directory = signature.subarray(signature.readUInt32BE(16));
  const [hashes, name, , pages, limit] = [16, 20, 24, 28, 32].map((offset) =>
    directory.readUInt32BE(offset),
  );
  return {
    kind,
    commands: file.readUInt32LE(16),
    at,
    bytes,
    linkEditEnd: Number(file.readBigUInt64LE(linkEdit + 40) + file.readBigUInt64LE(linkEdit + 48)),
    magic: [signature.readUInt32BE(0), directory.readUInt32BE(0)],
    lengths: [signature.readUInt32BE(4), directory.readUInt32BE(4)],
    flags: directory.readUInt32BE(12),
    name: directory.toString("latin1", name).split("\0")[0],
    limit,
    hashes: Array.from({ length: pages ?? 0 }, (_, page) =>
      directory.toString("hex", (hashes ?? 0) + page * 32, (hashes ?? 0) + (page + 1) * 32),
    ),
  };
}

test("[K8] the app for macOS has an ad-hoc signature over every byte before it", () => {
  const program = makeProgram();
  const signed = Buffer.from(signForMacos(program, "Soundferry"));
  const found = readSigned(signed);
  const at = TEXT_BYTES + 112;
  expect(found).toMatchObject({
    kind: 0x1d,
    commands: 3,
    at,
    bytes: signed.length - at,
    linkEditEnd: signed.length,
    magic: [0xfade0cc0, 0xfade0c02],
    lengths: [signed.length - at, signed.length - at - 20],
    flags: 2,
    name: "Soundferry",
    limit: at,
  });
  const pages = [0, 4096, 8192].map((start) => signed.subarray(start, Math.min(start + 4096, at)));
  expect(found.hashes).toEqual(
    pages.map((page) => createHash("sha256").update(page).digest("hex")),
  );
  // Nothing else changed.
  expect(signed.subarray(4096, program.length).equals(program.subarray(4096))).toBe(true);
});

describe("refuses, because macOS would", () => {
  test.each([
    [
      "another kind of file",
      Buffer.from("#!/bin/sh\necho this is a script\n"),
      "not a program for macOS",
    ],
    ["a short file", Buffer.alloc(3), "not a program for macOS"],
    ["a signed program", Buffer.from(signForMacos(makeProgram(), "Soundferry")), "already signed"],
    ["data behind the last segment", makeProgram({ behind: 8 }), "doesn't end with __LINKEDIT"],
    [
      "no space for the command",
      makeProgram({ section: 264 }),
      "no space for another load command",
    ],
  ])("%s", (_, program, sentence) => {
    expect(() => signForMacos(program, "Soundferry")).toThrow(sentence);
  });
});

/** A program whose header begins at 128, filled with ones. */
function makeWindowsProgram(): Buffer {
  const program = Buffer.alloc(600, 1);
  program.writeUInt32LE(128, 60);
  program.write("PE\0\0", 128, "latin1");
  program.writeUInt16LE(0x20b, 128 + 24);
  return program;
}

test("[K8] the app for Windows has no signature, instead of a wrong one", () => {
  const program = makeWindowsProgram();
  const unsigned = unsignForWindows(program);
  const changed = [...unsigned.keys()].filter((at) => unsigned[at] !== program[at]);
  // The fifth entry of the table of directories: an offset and a length.
  expect(changed).toEqual(Array.from({ length: 8 }, (_, index) => 128 + 24 + 112 + 32 + index));
  expect(changed.every((at) => unsigned[at] === 0)).toBe(true);
});

test.each([
  ["a short file", Buffer.alloc(10)],
  ["a script", Buffer.from("#!/bin/sh\n".repeat(20))],
  ["a 32-bit program", Buffer.from(makeWindowsProgram().fill(0, 152, 154))],
  ["a header beyond the end", Buffer.from(makeWindowsProgram().fill(255, 60, 64))],
])("refuses %s", (_, program) => {
  expect(() => unsignForWindows(program)).toThrow("not a 64-bit program for Windows");
});

test("[K8] a download is taken only with the hash that is pinned", () => {
  const bytes = Buffer.from("node");
  const pinned = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  expect(isIntact(bytes, pinned)).toBe(true);
  expect(isIntact(Buffer.from("nodf"), pinned)).toBe(false);
  expect(isIntact(bytes, `${pinned.slice(0, -4)}AA==`)).toBe(false);
});
