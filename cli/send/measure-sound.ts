import { createHash } from "node:crypto";
import { openAsBlob } from "node:fs";
import { Failure } from "../fail.ts";

/** A file as it is announced. */
export interface MeasuredSound {
  /** Reads from the file when it is sent; fails if the file has changed by then. */
  readonly sound: Blob;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Reads a file once for its checksum, piece by piece.
 * @throws {Failure} with a sentence when it can't be read
 */
export async function measureSound(path: string): Promise<MeasuredSound> {
  try {
    const sound = await openAsBlob(path);
    const hash = createHash("sha256");
    for await (const piece of sound.stream()) hash.update(piece);
    return { sound, bytes: sound.size, sha256: hash.digest("hex") };
  } catch (cause) {
    throw new Failure(`${path} can't be read.`, { cause });
  }
}
