import { createHash } from "node:crypto";

// Apple's code signature without a developer's identity ("ad hoc", as `codesign --sign -` makes it): macOS on Apple's
// chips starts nothing without one. Laid out as XNU's osfmk/kern/cs_blobs.h and mach-o/loader.h describe it.

const MACHO_64 = 0xfeedfacf;
const HEADER_BYTES = 32;
const SEGMENT = 0x19;
const CODE_SIGNATURE = 0x1d;
const COMMAND_BYTES = 16;

const EMBEDDED_SIGNATURE = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
/** Sizes of a super blob with one blob in it, and of a code directory. */
const [SUPER_BLOB_BYTES, DIRECTORY_BYTES] = [20, 88];
const VERSION_WITH_EXEC_SEGMENT = 0x20400;
const AD_HOC = 0x2;
const MAIN_BINARY = 1n;
const SHA256 = { type: 2, bytes: 32 };
const PAGE_BITS = 12;
export const PAGE_BYTES = 2 ** PAGE_BITS;
/** Memory pages on Apple's chips; a multiple of those on Intel's. */
const MEMORY_PAGE = 0x4000n;

interface Segment {
  readonly at: number;
  readonly name: string;
  readonly fileOffset: bigint;
  readonly fileBytes: bigint;
  /** Offset of its first section in the file; undefined without sections. */
  readonly sectionOffset: number | undefined;
}

/**
 * Signs an executable for macOS ad hoc.
 * @param program a Mach-O file for one 64-bit chip, without a signature, as `--build-sea` makes it
 * @returns the signed file; the same bytes for the same program
 * @throws {Error} if it is something else
 */
export function signForMacos(program: Uint8Array, identifier: string): Uint8Array {
  const { commandsEnd, text, linkEdit } = readMachO(program);
  const codeBytes = Math.ceil(program.length / 16) * 16;
  const pages = Math.ceil(codeBytes / PAGE_BYTES);
  const hashesAt = DIRECTORY_BYTES + Buffer.byteLength(identifier) + 1;
  const signatureBytes = SUPER_BLOB_BYTES + hashesAt + pages * SHA256.bytes;
  const signed = Buffer.alloc(codeBytes + signatureBytes);
  signed.set(program);

  signed.writeUInt32LE(signed.readUInt32LE(16) + 1, 16);
  signed.writeUInt32LE(signed.readUInt32LE(20) + COMMAND_BYTES, 20);
  const command = [CODE_SIGNATURE, COMMAND_BYTES, codeBytes, signatureBytes];
  for (const [index, value] of command.entries())
    signed.writeUInt32LE(value, commandsEnd + index * 4);
  const linkEditBytes = BigInt(signed.length) - linkEdit.fileOffset;
  signed.writeBigUInt64LE(roundUp(linkEditBytes, MEMORY_PAGE), linkEdit.at + 32);
  signed.writeBigUInt64LE(linkEditBytes, linkEdit.at + 48);

  const directory = signed.subarray(codeBytes + SUPER_BLOB_BYTES);
  writeWords(signed.subarray(codeBytes), [
    EMBEDDED_SIGNATURE,
    signatureBytes,
    1,
    0,
    SUPER_BLOB_BYTES,
  ]);
  writeWords(directory, [
    CODE_DIRECTORY,
    signatureBytes - SUPER_BLOB_BYTES,
    VERSION_WITH_EXEC_SEGMENT,
    AD_HOC,
    hashesAt,
    DIRECTORY_BYTES,
    0,
    pages,
    codeBytes,
  ]);
  directory.set([SHA256.bytes, SHA256.type, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(text.fileOffset, 64);
  directory.writeBigUInt64BE(text.fileBytes, 72);
  directory.writeBigUInt64BE(MAIN_BINARY, 80);
  directory.write(identifier, DIRECTORY_BYTES);
  directory.set(hashPages(signed.subarray(0, codeBytes)), hashesAt);
  return signed;
}

/** The SHA-256 of each page, one after the other; the last page may be shorter. */
export function hashPages(code: Uint8Array): Uint8Array {
  const hashes = [];
  for (let at = 0; at < code.length; at += PAGE_BYTES) {
    hashes.push(
      createHash("sha256")
        .update(code.subarray(at, at + PAGE_BYTES))
        .digest(),
    );
  }
  return Buffer.concat(hashes);
}

function readMachO(program: Uint8Array) {
  const file = Buffer.from(program.buffer, program.byteOffset, program.length);
  if (file.length < HEADER_BYTES || file.readUInt32LE(0) !== MACHO_64) {
    throw new Error("This is not a program for macOS.");
  }
  const segments: Segment[] = [];
  let at = HEADER_BYTES;
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    const kind = file.readUInt32LE(at);
    if (kind === CODE_SIGNATURE) throw new Error("The program is already signed.");
    if (kind === SEGMENT) segments.push(readSegment(file, at));
    at += file.readUInt32LE(at + 4);
  }
  const find = (name: string): Segment => {
    const found = segments.find((segment) => segment.name === name);
    if (found === undefined) throw new Error(`The program has no segment ${name}.`);
    return found;
  };
  const [text, linkEdit] = [find("__TEXT"), find("__LINKEDIT")];
  if (linkEdit.fileOffset + linkEdit.fileBytes !== BigInt(file.length)) {
    throw new Error("The program doesn't end with __LINKEDIT.");
  }
  if (at + COMMAND_BYTES > (text.sectionOffset ?? 0)) {
    throw new Error("The program has no space for another load command.");
  }
  return { commandsEnd: at, text, linkEdit };
}

function readSegment(file: Buffer, at: number): Segment {
  const sections = file.readUInt32LE(at + 64);
  return {
    at,
    name: file.toString("latin1", at + 8, at + 24).replace(/\0+$/, ""),
    fileOffset: file.readBigUInt64LE(at + 40),
    fileBytes: file.readBigUInt64LE(at + 48),
    sectionOffset: sections === 0 ? undefined : file.readUInt32LE(at + 72 + 48),
  };
}

function writeWords(to: Buffer, words: readonly number[]): void {
  for (const [index, word] of words.entries()) to.writeUInt32BE(word, index * 4);
}

function roundUp(value: bigint, step: bigint): bigint {
  return ((value + step - 1n) / step) * step;
}
