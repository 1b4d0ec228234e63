import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import { ClientError } from "../wire/client-error.ts";

/**
 * A file as a draft's source, with its own name. It is read while it is hashed and sent, and never held
 * whole; a file that has changed by then can't be sent.
 * @throws {ClientError} `SOUND_UNREADABLE` if it can't be opened
 */
export async function soundFile(path: string): Promise<File> {
  try {
    return new File([await openAsBlob(path)], basename(path));
  } catch (cause) {
    throw new ClientError(`${path} can't be read.`, { code: "SOUND_UNREADABLE", cause });
  }
}
