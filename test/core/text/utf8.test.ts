import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decodeUtf8, encodeUtf8, utf8Length } from "../../../core/text/utf8.ts";
import { anyText } from "./any-text.ts";

test("[D8] any text is encoded as another encoder does it", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const encoded = new TextEncoder().encode(text);
      expect(encodeUtf8(text)).toEqual(encoded);
      expect(utf8Length(text)).toBe(encoded.length);
      expect(decodeUtf8(encoded)).toBe(text.toWellFormed());
    }),
  );
  expect(() => decodeUtf8(Uint8Array.of(0xff))).toThrow(URIError);
});
