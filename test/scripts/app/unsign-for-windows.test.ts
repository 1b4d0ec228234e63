import { expect, test } from "vitest";
import { unsignForWindows } from "../../../scripts/app/unsign-for-windows.ts";

/** A program whose header begins at 128, filled with ones. */
function makeProgram(): Buffer {
  const program = Buffer.alloc(600, 1);
  program.writeUInt32LE(128, 60);
  program.write("PE\0\0", 128, "latin1");
  program.writeUInt16LE(0x20b, 128 + 24);
  return program;
}

test("[K8] the app for Windows has no signature, instead of a wrong one", () => {
  const program = makeProgram();
  const unsigned = unsignForWindows(program);
  const changed = [...unsigned.keys()].filter((at) => unsigned[at] !== program[at]);
  // The fifth entry of the table of directories: an offset and a length.
  expect(changed).toEqual(Array.from({ length: 8 }, (_, index) => 128 + 24 + 112 + 32 + index));
  expect(changed.every((at) => unsigned[at] === 0)).toBe(true);
});

test.each([
  ["a short file", Buffer.alloc(10)],
  ["a script", Buffer.from("#!/bin/sh\n".repeat(20))],
  ["a 32-bit program", Buffer.from(makeProgram().fill(0, 152, 154))],
  ["a header beyond the end", Buffer.from(makeProgram().fill(255, 60, 64))],
])("refuses %s", (_, program) => {
  expect(() => unsignForWindows(program)).toThrow("not a 64-bit program for Windows");
});
