import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

/** The largest length of a line in bytes, without its line feed: before the login, and after it. */
export const MAX_LINE_BYTES = { beforeLogin: 64 * 1024, afterLogin: 1024 * 1024 } as const;

const LINE_FEED = 0x0a;
const SPACE = 0x20;
const DIGITS = 64;

export interface LineKeys {
  /** The key for the client's lines. */
  readonly client: Buffer;
  /** The key for the server's lines. */
  readonly server: Buffer;
}

/**
 * Derives the keys of both directions from the secret of the file and the nonces of hello and login, which are
 * hexadecimal digits and used as text.
 */
export function lineKeys(secret: string, helloNonce: string, loginNonce: string): LineKeys {
  const key = (text: string) => createHmac("sha256", secret).update(text).digest();
  return { client: key(`client ${helloNonce}`), server: key(`server ${helloNonce} ${loginNonce}`) };
}

/** The signer of one direction's lines, which it counts from 0. */
export class LineSigner {
  readonly #key: Buffer;
  #count = 0;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Returns the JSON's line with its signature and line feed. */
  sign(json: string): Buffer {
    const bytes = Buffer.from(json, "utf8");
    const digits = signatureOf(this.#key, this.#count, bytes).toString("hex");
    this.#count += 1;
    return Buffer.concat([Buffer.from(`${digits} `), bytes, Buffer.from("\n")]);
  }

  /** Returns the JSON of the next line; undefined where its signature is wrong. */
  open(line: Buffer): string | undefined {
    const digits = line.subarray(0, DIGITS);
    const json = line.subarray(DIGITS + 1);
    if (line.length <= DIGITS || line[DIGITS] !== SPACE) return undefined;
    const wanted = Buffer.from(signatureOf(this.#key, this.#count, json).toString("hex"));
    if (!timingSafeEqual(digits, wanted)) return undefined;
    this.#count += 1;
    return json.toString("utf8");
  }
}

function signatureOf(key: Buffer, count: number, json: Buffer): Buffer {
  return createHmac("sha256", key).update(`${count} `).update(json).digest();
}

/** A reader that splits a stream of bytes into lines. It keeps no more than one line's limit. */
export class LineReader {
  #pieces: Buffer[] = [];
  #length = 0;
  #maxBytes: number = MAX_LINE_BYTES.beforeLogin;

  /** Allows longer lines from here on: the other side has proved who it is. */
  allowLong(): void {
    this.#maxBytes = MAX_LINE_BYTES.afterLogin;
  }

  /**
   * Yields the lines that the bytes complete, without their line feeds.
   * @throws {RangeError} when a line is too long
   */
  *read(bytes: Buffer): Generator<Buffer> {
    let rest = bytes;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      this.#take(rest.subarray(0, end));
      const line = Buffer.concat(this.#pieces);
      [this.#pieces, this.#length] = [[], 0];
      rest = rest.subarray(end + 1);
      yield line;
    }
    if (rest.length > 0) this.#take(rest);
  }

  #take(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#maxBytes) throw new RangeError("A line is too long.");
    this.#pieces.push(piece);
  }
}
