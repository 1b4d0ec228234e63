const PE_AT = 60;
const PE = 0x00004550;
/** Values of the optional header of a 64-bit program, after PE's own. */
const [OPTIONAL_HEADER, PE32_PLUS, SECURITY_ENTRY] = [24, 0x20b, 112 + 4 * 8];

/**
 * Removes the pointer to Node's own signature, which no longer fits the program: Windows and virus scanners take a wrong
 * signature as a sign of tampering. Signing tools add a new one.
 * @param program a 64-bit program for Windows
 * @throws {Error} if it is something else
 */
export function unsignForWindows(program: Uint8Array): Uint8Array {
  const unsigned = Buffer.from(program);
  const at = unsigned.length < PE_AT + 4 ? 0 : unsigned.readUInt32LE(PE_AT);
  const isProgram =
    at > 0 &&
    unsigned.length >= at + OPTIONAL_HEADER + SECURITY_ENTRY + 8 &&
    unsigned.readUInt32LE(at) === PE &&
    unsigned.readUInt16LE(at + OPTIONAL_HEADER) === PE32_PLUS;
  if (!isProgram) throw new Error("This is not a 64-bit program for Windows.");
  const entry = at + OPTIONAL_HEADER + SECURITY_ENTRY;
  return unsigned.fill(0, entry, entry + 8);
}
