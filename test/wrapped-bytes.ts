import { Buffer } from "node:buffer";

/** The type of `formOf`'s form. */
export const FORM_TYPE = "multipart/form-data; boundary=----X";

/** A file in a multipart form, as `FormData` sends it. */
export function formOf(file: Uint8Array): Buffer {
  const head = 'Content-Disposition: form-data; name="file"; filename="one.wav"';
  return Buffer.concat([
    Buffer.from(`------X\r\n${head}\r\nContent-Type: audio/wav\r\n\r\n`),
    file,
    Buffer.from("\r\n------X--\r\n"),
  ]);
}

interface Wide {
  /** Bytes of a character: 2 for UTF-16, 4 for UTF-32. */
  readonly bytes: 2 | 4;
  readonly isBig?: boolean;
  readonly hasMark?: boolean;
}

/** A text of Latin-1 characters in UTF-16 or UTF-32. */
export function wide(text: string, { bytes, isBig = false, hasMark = false }: Wide): Buffer {
  return Buffer.concat(
    Array.from((hasMark ? "\uFEFF" : "") + text, (character) => {
      const one = Buffer.alloc(bytes);
      if (isBig) one.writeUIntBE(character.charCodeAt(0), 0, bytes);
      else one.writeUIntLE(character.charCodeAt(0), 0, bytes);
      return one;
    }),
  );
}
