import { open, stat } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { crc32, gunzip } from "node:zlib";
import { isMissing } from "../../disk/atomic-file.ts";
import { readWhole } from "../../disk/read-at.ts";
import type { FindingList } from "../../../core/live-set/check/finding-list.ts";
import { parseXmlTree, type XmlDocument } from "../../../core/live-set/xml-tree.ts";
import { formatUnreadable } from "../../../core/text/format-unreadable.ts";

/** The greatest size of a Set, packed and unpacked: a hundred times that of 32 tracks. */
const MOST_BYTES = 64 * 1024 * 1024;
const GZIP_HEAD_BYTES = 10;
const GZIP_TAIL_BYTES = 8;
const unpack = promisify(gunzip);

/** A file that can't be judged; the message is a sentence. */
export class SetUnreadable extends Error {
  override readonly name = "SetUnreadable";
}

/**
 * Reads a Set, compressed or not (rule LS22). What is unusual in its container becomes a finding or a note.
 * @throws {SetUnreadable} if it can't be read, is too large, or is no UTF-8
 * @throws {XmlUnreadable} if it is no XML, or too much of it
 */
export async function readSet(path: string, list: FindingList): Promise<XmlDocument> {
  const file = await readFile(path);
  const isPacked = file[0] === 0x1f && file[1] === 0x8b;
  if (!isPacked) list.add(basename(path), "PLAIN_XML", {});
  const bytes = isPacked ? await unpackSet(file, path, list) : file;
  const text = decode(bytes);
  if (!text.startsWith("\u{feff}")) return parseXmlTree(text);
  list.add(basename(path), "BYTE_ORDER_MARK", {});
  return parseXmlTree(text.slice(1));
}

async function readFile(path: string): Promise<Uint8Array> {
  try {
    // Looked at before it is opened, because opening a pipe waits for its writer.
    const stats = await stat(path);
    if (!stats.isFile()) throw new SetUnreadable("It isn't a file.");
    if (stats.size > MOST_BYTES) throw new SetUnreadable("It has more than 64 MB.");
    await using file = await open(path);
    return await readWhole(file, stats.size);
  } catch (cause) {
    if (cause instanceof SetUnreadable) throw cause;
    const sentence = isMissing(cause) ? "It can't be found." : formatUnreadable(cause, "It");
    throw new SetUnreadable(sentence, { cause });
  }
}

async function unpackSet(file: Uint8Array, path: string, list: FindingList): Promise<Uint8Array> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const bytes = await unpack(file, { maxOutputLength: MOST_BYTES }).catch((cause: unknown) => {
    const isBomb =
      cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw new SetUnreadable(
      isBomb ? "It unpacks to more than 64 MB." : "Its compressed data is damaged.",
      { cause },
    );
  });
  if (file.byteLength < GZIP_HEAD_BYTES + GZIP_TAIL_BYTES) return bytes;
  const [flags, time] = [view.getUint8(3), view.getUint32(4, true)];
  if (flags !== 0 || time !== 0) list.add(basename(path), "GZIP_HEAD", { flags, time });
  const tailAt = file.byteLength - GZIP_TAIL_BYTES;
  const isWhole =
    view.getUint32(tailAt, true) === crc32(bytes) &&
    view.getUint32(tailAt + 4, true) === bytes.byteLength;
  if (!isWhole) list.add(basename(path), "BEHIND_GZIP", {});
  return bytes;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SetUnreadable("It isn't UTF-8 text, so it can't be a Set.", { cause });
  }
}
