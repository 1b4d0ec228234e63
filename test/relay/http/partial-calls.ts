import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { UPLOAD_INTEROP_VERSION } from "../../../core/protocol/upload-draft.ts";
import { smallWav } from "../../wav-bytes.ts";
import type { CallAnswer, RunningRelay } from "../running-relay.ts";
import { type SlowCall, slowPut } from "./slow-put.ts";
import { manifestOf } from "../../manifest-of.ts";

/** A WAV of about that many bytes, no two parts of it the same. */
export function longWav(bytes: number): Uint8Array {
  const wav = smallWav({ frames: Math.floor(bytes / 2) });
  const noise = createHash("sha256").update("noise").digest();
  for (let at = 44; at < wav.byteLength; at += 1) {
    wav[at] = ((noise[at % 32] ?? 0) + (at >> 5)) % 256;
  }
  return wav;
}

/** One file that an app sends in parts. */
export class PartialFile {
  readonly #relay: RunningRelay;
  readonly token: string;
  readonly packageId: string;
  readonly path: string;
  readonly wav: Uint8Array;

  private constructor(
    relay: RunningRelay,
    parts: Pick<PartialFile, "token" | "packageId" | "path" | "wav">,
  ) {
    this.#relay = relay;
    this.token = parts.token;
    this.packageId = parts.packageId;
    this.path = parts.path;
    this.wav = parts.wav;
  }

  /** Announces a package of this file, by a new app unless its token is given. */
  static async announce(
    relay: RunningRelay,
    wav: Uint8Array = longWav(2000),
    token?: string,
  ): Promise<PartialFile> {
    const by = token ?? (await relay.paired()).token;
    const announced = await relay.announce(by, manifestOf({ "a.wav": wav }));
    const path = announced.upload["a.wav"] ?? "";
    return new PartialFile(relay, { token: by, packageId: announced.package_id, path, wav });
  }

  /** The same file at the relay that runs now. */
  at(relay: RunningRelay): PartialFile {
    return new PartialFile(relay, this);
  }

  head(token = this.token): Promise<CallAnswer> {
    return this.#relay.call("HEAD", this.path, { token, headers: INTEROP });
  }

  /** `Upload-Offset` and `Upload-Complete`, as HEAD answers them. */
  async offset(): Promise<string> {
    return offsetOf(await this.head());
  }

  /** @param end of the part; the file's end completes it unless `complete` says otherwise */
  patch(
    offset: number,
    end = this.wav.byteLength,
    { complete = end === this.wav.byteLength ? "?1" : "?0", ...more }: PatchOptions = {},
  ): Promise<CallAnswer> {
    const { token = this.token, body = this.wav.subarray(offset, end), headers } = more;
    const sent = { ...partHeaders(offset, complete), ...headers };
    return this.#relay.call("PATCH", this.path, { token, body, headers: sent });
  }

  /** An append whose body the test writes. */
  slowPatch(offset: number, complete = "?1", headers: Record<string, number> = {}): SlowCall {
    const sent = { ...partHeaders(offset, complete), ...headers };
    return slowPut(this.#relay, this.path, this.token, sent, "PATCH");
  }

  put(body = this.wav): Promise<CallAnswer> {
    return this.#relay.call("PUT", this.path, { token: this.token, body });
  }
}

interface PatchOptions {
  readonly complete?: string;
  readonly token?: string;
  readonly body?: Uint8Array;
  readonly headers?: Record<string, string>;
}

/** Bytes of unfinished files in a relay's folder. */
export async function partBytes({ folder }: Pick<RunningRelay, "folder">): Promise<number> {
  const sounds = join(folder, "sounds");
  const names = await readdir(sounds, { recursive: true });
  const parts = names.filter((name) => name.endsWith(".part"));
  const sizes = await Promise.all(parts.map(async (name) => (await stat(join(sounds, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

export const INTEROP = { "upload-draft-interop-version": String(UPLOAD_INTEROP_VERSION) };

export function partHeaders(offset: number | string, complete: string): Record<string, string> {
  return {
    ...INTEROP,
    "content-type": "application/partial-upload",
    "upload-offset": String(offset),
    "upload-complete": complete,
  };
}

/** Reads the file's offset from an answer. */
export function offsetOf({ status, headers }: CallAnswer): string {
  return `${status} ${headers.get("upload-offset")} ${headers.get("upload-complete")}`;
}
