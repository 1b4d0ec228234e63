import { expect, test } from "vitest";
import { codecName } from "../../../core/wav/codec-names.ts";

test("[U4] names a codec, or gives its number", () => {
  expect(codecName(0x55)).toBe("MP3");
  expect(codecName(0x11)).toBe("IMA ADPCM");
  expect(codecName(0)).toBe("0x0000");
  expect(codecName(0xabcd)).toBe("0xABCD");
});
